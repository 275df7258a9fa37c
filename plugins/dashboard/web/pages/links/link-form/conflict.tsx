import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Link } from '../../../api/links/links.ts'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { texts } from '../../../texts.ts'
import classes from './conflict.module.css'
import { wordOf } from './fields/summary.ts'
import type { Difference } from './fields/values.ts'

/** Whose value a disputed field keeps. */
export type Side = 'mine' | 'theirs'

export interface ConflictProps {
  readonly differences: readonly Difference[]
  /** The link as it is on the server now. */
  readonly link: Link
  onClose(): void
  /** Saves with the other side's values for these disputed fields. */
  onSave(theirs: ReadonlySet<string>): void
}

/** Shown if somebody else saved first: what changed, and a choice between both values of each disputed field. */
export function Conflict({ differences, link, onClose, onSave }: ConflictProps) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const disputed = differences.filter(({ isDisputed }) => isDisputed)
  const taken = differences.filter(({ isDisputed }) => !isDisputed)
  const choose = (name: string, side: Side) => {
    const others = [...theirs].filter(it => it !== name)
    setTheirs(new Set(side === 'theirs' ? [...others, name] : others))
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={linkFormTexts.conflictHeading}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <Stack>
        <Text>{linkFormTexts.conflictLead}</Text>
        {differences.length === 0 && <Text>{linkFormTexts.conflictNothing}</Text>}
        {disputed.length > 0 && (
          <section className={classes.part} aria-label={linkFormTexts.conflictDisputed}>
            <Text size="sm" c="dimmed">
              {linkFormTexts.conflictDisputed}
            </Text>
            {disputed.map(it => (
              <div key={it.field.name} className={classes.field}>
                <div className={classes.head}>
                  <strong>{it.field.label}</strong>
                  <SegmentedControl
                    size="xs"
                    aria-label={it.field.label}
                    value={theirs.has(it.field.name) ? 'theirs' : 'mine'}
                    onChange={side => choose(it.field.name, side)}
                    data={[
                      { value: 'mine', label: linkFormTexts.mine },
                      { value: 'theirs', label: linkFormTexts.theirs },
                    ]}
                  />
                </div>
                <Values difference={it} link={link} />
              </div>
            ))}
          </section>
        )}
        {taken.length > 0 && (
          <section className={classes.part} aria-label={linkFormTexts.conflictTaken}>
            <Text size="sm" c="dimmed">
              {linkFormTexts.conflictTaken}
            </Text>
            {taken.map(it => (
              <div key={it.field.name} className={classes.field}>
                <strong>{it.field.label}</strong>
                <Values difference={it} link={link} />
              </div>
            ))}
          </section>
        )}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button onClick={() => onSave(theirs)}>{linkFormTexts.conflictSave}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface ValuesProps {
  readonly difference: Difference
  readonly link: Link
}

function Values({ difference: { field, mine, theirs, isDisputed }, link }: ValuesProps) {
  const show = (value: unknown) => nameIn(link, value) ?? wordOf(field, value) ?? texts.fields.unset
  return (
    <dl className={classes.values}>
      {isDisputed && (
        <div>
          <dt>{linkFormTexts.mineIs}</dt>
          <dd>{show(mine)}</dd>
        </div>
      )}
      <div>
        <dt>{linkFormTexts.theirsIs}</dt>
        <dd>{show(theirs)}</dd>
      </div>
    </dl>
  )
}

/** The names of a campaign or of tags. */
function nameIn({ campaign, tags = [] }: Link, value: unknown): string | undefined {
  if (campaign && value === campaign.id) return campaign.name
  if (!Array.isArray(value) || value.length === 0) return undefined
  const names = value.map(id => tags.find(it => it.id === id)?.name)
  return names.every(it => it !== undefined) ? names.join(', ') : undefined
}
