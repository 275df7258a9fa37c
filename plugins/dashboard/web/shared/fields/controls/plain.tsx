import { NumberInput, Select, Switch } from '@mantine/core'
import { texts } from '../../../texts.ts'
import { type ControlProps, inputProps } from '../control-props.ts'
import { labelOf } from '../field.ts'
import { withoutNull } from '../json-schema.ts'

/** A number. The API reports one that is out of range; the input never changes what is typed. */
export function WholeOrNot(props: ControlProps) {
  const { type, minimum } = withoutNull(props.field.schema)
  return (
    <NumberInput
      {...inputProps(props)}
      allowDecimal={type !== 'integer'}
      allowNegative={minimum === undefined || minimum < 0}
      clampBehavior="none"
      thousandSeparator={false}
      hideControls
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={value => props.onChange(value === '' ? props.field.empty : Number(value))}
    />
  )
}

/** One of a few words or numbers. */
export function Choice(props: ControlProps) {
  const { schema, empty } = props.field
  const words = withoutNull(schema).enum ?? []
  return (
    <Select
      {...inputProps(props)}
      data={words.map(String).map(value => ({ value, label: labelOf(props.field, value) }))}
      placeholder={texts.fields.unset}
      value={words.includes(props.value) ? String(props.value) : null}
      onChange={text => props.onChange(words.find(word => String(word) === text) ?? null)}
      clearable={empty === null}
      allowDeselect={empty === null}
    />
  )
}

/** Yes or no; no by default. */
export function Toggle(props: ControlProps) {
  const { readOnly, required, ...input } = inputProps(props)
  return (
    <Switch
      {...input}
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked || props.field.empty)}
    />
  )
}
