import { Textarea, TextInput } from '@mantine/core'
import { type ControlProps, inputProps, textOf } from '../control-props.ts'

/** One line. */
export function Text(props: ControlProps) {
  return <TextInput {...inputProps(props)} autoComplete="off" {...textBinding(props)} />
}

/** An address; phones show the keyboard for one. */
export function Address(props: ControlProps) {
  return (
    <TextInput
      {...inputProps(props)}
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
      spellCheck={false}
      {...textBinding(props)}
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
