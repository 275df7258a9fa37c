import {
  type AnalyticsQuestion,
  type Numbers,
  type Subject,
  valuesOf,
} from '../../api/analytics.ts'
import { texts } from '../../texts.ts'
import type { Dimension } from './dimensions.ts'
import { MapPanel } from './map-panel.tsx'
import { Panel } from './panel.tsx'
import classes from './panels.module.css'

export interface PanelsProps {
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly numbers: Numbers
  /** Those of one plugin are together. */
  readonly panels: readonly (readonly Dimension[])[]
}

/** What was counted by value: maps first, the others two by two. What has nothing yet is named below. */
export function Panels({ panels, ...shown }: PanelsProps) {
  const { numbers } = shown
  const isFilled = (panel: readonly Dimension[]) =>
    panel.some(({ name }) => valuesOf(numbers, name).length > 0)
  const filled = panels.filter(isFilled)
  const empty = panels.filter(panel => !isFilled(panel)).flat()
  const maps = filled.flat().filter(isMap)
  const others = filled.map(panel => panel.filter(it => !isMap(it)))
  return (
    <>
      {maps.map(dimension => (
        <MapPanel key={dimension.name} {...shown} dimension={dimension} />
      ))}
      <div className={classes.panels}>
        {others.map(
          panel => panel[0] && <Panel key={panel[0].name} {...shown} dimensions={panel} />,
        )}
      </div>
      {empty.length > 0 && (
        <p className={classes.empty}>
          {texts.analytics.nothingOf(list.format(empty.map(({ label }) => label)))}
        </p>
      )}
    </>
  )
}

const list = new Intl.ListFormat(undefined, { type: 'conjunction' })

function isMap({ chart }: Dimension): boolean {
  return chart === 'map'
}
