import { ActionIcon, Button, NumberInput, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useId, useRef } from 'react'
import { type Errors, errorAt, errorWithin } from '../../../shared/fields/errors.ts'
import { AddressInput } from '../../../shared/forms/address-input.tsx'
import {
  IconArrowDown,
  IconArrowUp,
  IconCornerDownRight,
  IconPlus,
  IconTrash,
} from '../../../shared/icons/icons.ts'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import { rulesTexts } from '../../../texts/rules.ts'
import { ConditionRow } from './condition-row.tsx'
import { type Condition, newCondition, type Rule } from './rules.ts'
import classes from './rules-field.module.css'
import { tellRule } from './tell.ts'

export interface RuleCardProps {
  readonly rule: Rule
  /** Index from 0. */
  readonly place: number
  readonly count: number
  readonly maxConditions: number
  readonly path: string
  readonly errors: Errors
  readonly isBarred: boolean
  readonly isOpen: boolean
  onToggle(): void
  onChange(rule: Rule): void
  /** -1 moves it up, 1 down. */
  onMove(by: number): void
  onRemove(): void
}

/** One rule: a line that says what it does, and all its settings when expanded. */
export function RuleCard(props: RuleCardProps) {
  const { rule, place, isOpen, isBarred, onToggle } = props
  const id = useId()
  const name = rule.name || rulesTexts.rule(place + 1)
  const { card, onKeyDown } = useMoveKeys(props)

  return (
    // For key events that bubble from the inputs inside.
    <li className={classes.rule} ref={card} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className={classes.place}>{place + 1}</span>
          <span className={classes.what}>
            <span className={classes.name}>{name}</span>
            <span className={classes.line}>{tellRule(rule)}</span>
            {rule.originalUrl && (
              <span className={classes.line}>
                <IconCornerDownRight size={14} aria-hidden="true" />{' '}
                {withoutScheme(rule.originalUrl)}
              </span>
            )}
          </span>
        </UnstyledButton>
        {!isBarred && <Moves {...props} name={name} />}
      </div>
      <div id={id} hidden={!isOpen} className={classes.body}>
        {isOpen && <RuleBody {...props} />}
      </div>
    </li>
  )
}

function Moves({
  name,
  place,
  count,
  onMove,
  onRemove,
}: RuleCardProps & { readonly name: string }) {
  const icon = { variant: 'subtle', color: 'gray', c: 'dimmed' } as const
  return (
    <span className={classes.moves}>
      <Tooltip label={rulesTexts.up(name)}>
        <ActionIcon
          {...icon}
          data-move="-1"
          disabled={place === 0}
          aria-label={rulesTexts.up(name)}
          onClick={() => onMove(-1)}
        >
          <IconArrowUp size={17} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={rulesTexts.down(name)}>
        <ActionIcon
          {...icon}
          data-move="1"
          disabled={place === count - 1}
          aria-label={rulesTexts.down(name)}
          onClick={() => onMove(1)}
        >
          <IconArrowDown size={17} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={rulesTexts.remove(name)}>
        <ActionIcon {...icon} aria-label={rulesTexts.remove(name)} onClick={onRemove}>
          <IconTrash size={17} />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}

function RuleBody({ rule, path, errors, isBarred, maxConditions, onChange }: RuleCardProps) {
  const { conditions } = rule
  const pathOf = (place: number) => `${path}.conditions[${place}]`
  const problem = errorAt(errors, path) ?? errorAt(errors, `${path}.conditions`)
  const setConditions = (next: readonly Condition[]) => onChange({ ...rule, conditions: next })
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={rulesTexts.name}
          value={rule.name}
          maxLength={100}
          error={errorWithin(errors, `${path}.name`)}
          disabled={isBarred}
          onChange={({ currentTarget }) => onChange({ ...rule, name: currentTarget.value })}
        />
        <AddressInput
          label={rulesTexts.address}
          value={rule.originalUrl}
          error={errorWithin(errors, `${path}.originalUrl`)}
          disabled={isBarred}
          onChange={originalUrl => onChange({ ...rule, originalUrl })}
        />
      </div>
      <fieldset className={classes.conditions} disabled={isBarred}>
        <legend>{rulesTexts.conditions}</legend>
        <p className={classes.note}>
          {conditions.length === 0 ? rulesTexts.noConditions : rulesTexts.allMustHold}
        </p>
        {conditions.map((condition, place) => (
          <ConditionRow
            key={pathOf(place)}
            condition={condition}
            place={place}
            path={pathOf(place)}
            errors={errors}
            onChange={next => setConditions(conditions.map((it, at) => (at === place ? next : it)))}
            onRemove={() => setConditions(conditions.filter((_, at) => at !== place))}
          />
        ))}
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <Button
          size="xs"
          variant="default"
          className={classes.add}
          leftSection={<IconPlus size={15} />}
          disabled={conditions.length >= maxConditions}
          onClick={() => setConditions([...conditions, newCondition('country')])}
        >
          {rulesTexts.addCondition}
        </Button>
      </fieldset>
      <NumberInput
        label={rulesTexts.share}
        description={rulesTexts.shareHint}
        placeholder={rulesTexts.everybody}
        suffix=" %"
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        hideControls
        value={rule.weight ?? ''}
        error={errorWithin(errors, `${path}.weight`)}
        disabled={isBarred}
        onChange={weight => onChange({ ...rule, weight: weight === '' ? null : Number(weight) })}
      />
    </>
  )
}

/** Alt with an arrow key moves the rule, which keeps the focus. */
function useMoveKeys({ place, onMove, count }: RuleCardProps) {
  const card = useRef<HTMLLIElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || by === 0) return
    event.preventDefault()
    if (place + by < 0 || place + by >= count) return
    onMove(by)
    const next = card.current?.parentElement?.children[place + by]
    next?.querySelector<HTMLElement>('button')?.focus()
  }
  return { card, onKeyDown }
}
