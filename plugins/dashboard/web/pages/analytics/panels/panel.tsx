import { Tabs } from '@mantine/core'
import type { AnalyticsQuestion, Numbers, Subject } from '../../../api/analytics/analytics.ts'
import { Card } from '../card/card.tsx'
import { SaveValues } from '../save/save-values.tsx'
import { Values } from '../values/values.tsx'
import type { Dimension } from '../words/dimensions.ts'
import classes from './panel.module.css'
import { sharedWords } from './shared-words.ts'

export interface PanelProps {
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly numbers: Numbers
  readonly dimensions: readonly Dimension[]
}

/** What one plugin counts. Several dimensions share the panel as tabs, under the words that their names share. */
export function Panel({ dimensions, ...shown }: PanelProps) {
  const [first] = dimensions
  if (!first) return null
  if (dimensions.length === 1) {
    return (
      <Card heading={first.label} aside={<SaveValues {...shown} dimension={first} />}>
        <Values {...shown} dimension={first} />
      </Card>
    )
  }
  const heading = sharedWords(dimensions.map(({ label }) => label))
  return (
    <Tabs
      defaultValue={first.name}
      variant="pills"
      radius="xl"
      keepMounted={false}
      classNames={classes}
    >
      <Card
        heading={heading || first.label}
        aside={
          <div className={classes.aside}>
            <Tabs.List aria-label={heading || first.label} data-unpictured>
              {dimensions.map(({ name, label }) => (
                <Tabs.Tab key={name} value={name}>
                  {label.slice(heading.length).trim()}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {dimensions.map(dimension => (
              <Tabs.Panel key={dimension.name} value={dimension.name}>
                <SaveValues {...shown} dimension={dimension} />
              </Tabs.Panel>
            ))}
          </div>
        }
      >
        {dimensions.map(dimension => (
          <Tabs.Panel key={dimension.name} value={dimension.name}>
            <Values {...shown} dimension={dimension} />
          </Tabs.Panel>
        ))}
      </Card>
    </Tabs>
  )
}
