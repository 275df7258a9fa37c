import { ActionIcon, Select, TextInput } from '@mantine/core'
import { type Errors, errorAt, errorWithin } from '../../../shared/fields/errors.ts'
import { IconX } from '../../../shared/icons/icons.ts'
import { rulesTexts } from '../../../texts/rules.ts'
import { ConditionValue } from './condition-value.tsx'
import { type Condition, conditionTypes, newCondition, operatorsOf, withOperator } from './rules.ts'
import classes from './rules-field.module.css'

export interface ConditionRowProps {
  readonly condition: Condition
  /** Index from 0. */
  readonly place: number
  readonly path: string
  readonly errors: Errors
  onChange(condition: Condition): void
  onRemove(): void
}

/** One condition: a fact of the visit, an operator, and a value. */
export function ConditionRow(props: ConditionRowProps) {
  const { condition, place, path, errors, onChange, onRemove } = props
  const { type, operator, key } = condition
  return (
    <fieldset className={classes.condition} aria-label={rulesTexts.condition(place + 1)}>
      <Select
        className={classes.part}
        aria-label={rulesTexts.type}
        data={conditionTypes.map(value => ({ value, label: rulesTexts.types[value] }))}
        value={type}
        error={errorWithin(errors, `${path}.type`) ?? errorAt(errors, path)}
        onChange={value => value && value !== type && onChange(newCondition(value))}
        allowDeselect={false}
      />
      <Select
        className={classes.part}
        aria-label={rulesTexts.operator}
        data={operatorsOf(type).map(value => ({ value, label: rulesTexts.operators[value] }))}
        value={operator}
        error={errorWithin(errors, `${path}.operator`)}
        onChange={value => value && onChange(withOperator(condition, value))}
        allowDeselect={false}
      />
      {type === 'query_param' && (
        <TextInput
          className={classes.part}
          aria-label={rulesTexts.parameter}
          placeholder={rulesTexts.parameter}
          value={key ?? ''}
          maxLength={100}
          error={errorWithin(errors, `${path}.key`)}
          onChange={({ currentTarget }) => onChange({ ...condition, key: currentTarget.value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size="lg"
        aria-label={rulesTexts.removeCondition(place + 1)}
        onClick={onRemove}
      >
        <IconX size={17} />
      </ActionIcon>
      <div className={classes.value}>
        <ConditionValue
          condition={condition}
          error={errorWithin(errors, `${path}.value`)}
          onChange={value => onChange({ ...condition, value })}
        />
      </div>
    </fieldset>
  )
}
