import { NumberInput, Select, Switch } from '@mantine/core'
import { texts } from '../../../../texts.ts'
import { withoutNull } from '../control-of.ts'
import { type ControlProps, inputProps } from '../control-props.ts'

/** A number; the API says what is out of range, so that nobody's typing is changed. */
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
      onChange={value => props.onChange(value === '' ? null : Number(value))}
    />
  )
}

/** One of a few words. */
export function Choice(props: ControlProps) {
  const words = withoutNull(props.field.schema).enum ?? []
  return (
    <Select
      {...inputProps(props)}
      data={words.map(String)}
      placeholder={texts.linkForm.unset}
      value={typeof props.value === 'string' ? props.value : null}
      onChange={props.onChange}
      clearable={!props.field.isRequired}
    />
  )
}

/** Yes or no; of a plugin's field no is what it is when nobody says anything. */
export function Toggle(props: ControlProps) {
  const { readOnly, required, ...input } = inputProps(props)
  const off = props.value === false || props.field.name === 'archived' ? false : null
  return (
    <Switch
      {...input}
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked ? true : off)}
    />
  )
}
