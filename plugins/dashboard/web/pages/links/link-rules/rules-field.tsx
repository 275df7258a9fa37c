import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { errorAt, hasErrors } from '../../../shared/fields/errors.ts'
import { isSame } from '../../../shared/fields/values.ts'
import { IconPlus } from '../../../shared/icons/icons.ts'
import { rulesTexts } from '../../../texts/rules.ts'
import type { LinkControlProps } from '../link-form/fields/link-control-props.ts'
import { RuleCard } from './rule-card.tsx'
import { limitsOf, moved, type Rule, routingOf, rulesIn } from './rules.ts'
import classes from './rules-field.module.css'
import { Simulation } from './simulation.tsx'

/** The routing rules of a link, in order, and a simulation to try them out. */
export function RulesField({ field, value, errors, link, onChange }: LinkControlProps) {
  const rules = rulesIn(value)
  const limits = limitsOf(field.schema)
  const [opened, setOpened] = useState<number>()
  const [said, setSaid] = useState('')
  const isBarred = field.state !== 'on'
  const pathOf = (index: number) => `${field.name}.rules[${index}]`
  const problem = errorAt(errors, field.name) ?? errorAt(errors, `${field.name}.rules`)

  const change = (next: readonly Rule[]) => onChange(routingOf(next))
  const add = () => {
    const name = rulesTexts.newName(rules.length + 1)
    change([...rules, { name, originalUrl: '', weight: null, conditions: [] }])
    setOpened(rules.length)
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rules.length) return
    change(moved(rules, from, to))
    if (opened === from) setOpened(to)
    else if (opened === to) setOpened(from)
    setSaid(rulesTexts.moved(rules[from]?.name ?? '', to + 1, rules.length))
  }
  const remove = (index: number) => {
    change(rules.filter((_, it) => it !== index))
    setOpened(undefined)
  }

  return (
    <div className={classes.rules}>
      <p className={classes.note}>
        {field.hint} {rules.length > 1 && rulesTexts.keys}
      </p>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {rules.length > 0 && (
        <ol className={classes.list}>
          {rules.map((rule, index) => (
            <RuleCard
              // A rule has no stable name, so its index is its key.
              key={pathOf(index)}
              rule={rule}
              place={index}
              count={rules.length}
              maxConditions={limits.conditions}
              path={pathOf(index)}
              errors={errors}
              isBarred={isBarred}
              isOpen={opened === index || hasErrors(errors, pathOf(index))}
              onToggle={() => setOpened(opened === index ? undefined : index)}
              onChange={next => change(rules.map((it, place) => (place === index ? next : it)))}
              onMove={by => move(index, index + by)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <p className={classes.note}>
        {rules.length === 0 ? rulesTexts.none : rulesTexts.otherwise}{' '}
        {rules.length >= limits.rules && rulesTexts.enough(limits.rules)}
      </p>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={isBarred || rules.length >= limits.rules}
        className={classes.add}
        onClick={add}
      >
        {rulesTexts.addRule}
      </Button>
      {link?.dynamicRouting && (
        <Simulation id={link.id} isSaved={isSame(link.dynamicRouting, value)} />
      )}
      {!link && rules.length > 0 && <p className={classes.note}>{rulesTexts.tryLater}</p>}
    </div>
  )
}
