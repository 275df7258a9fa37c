import { Textarea, TextInput } from '@mantine/core'
import { AddressInput } from '../../forms/address-input.tsx'
import { type ControlProps, inputProps, textOf } from '../control-props.ts'

/** One line. */
export function Text(props: ControlProps) {
  return <TextInput {...inputProps(props)} autoComplete="off" {...textBinding(props)} />
}

/** A web address. */
export function Address(props: ControlProps) {
  const { field, value, onChange } = props
  return (
    <AddressInput
      {...inputProps(props)}
      value={textOf(value)}
      onChange={text => onChange(text === '' ? field.empty : text)}
    />
  )
}

/** Several lines. */
export function Prose(props: ControlProps) {
  return (
    <Textarea {...inputProps(props)} autosize minRows={2} maxRows={12} {...textBinding(props)} />
  )
}

function textBinding({ field, value, onChange }: ControlProps) {
  return {
    value: textOf(value),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value === '' ? field.empty : currentTarget.value),
  }
}
