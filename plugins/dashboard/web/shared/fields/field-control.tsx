import type { ComponentType } from 'react'
import type { Control } from './control-of.ts'
import type { ControlProps } from './control-props.ts'
import { Moment } from './controls/moment.tsx'
import { Parts } from './controls/parts.tsx'
import { Choice, Toggle, WholeOrNot } from './controls/plain.tsx'
import { Sealed } from './controls/sealed.tsx'
import { Address, Prose, Text } from './controls/text.tsx'
import { Json, Lines } from './controls/written.tsx'
import type { Field } from './field.ts'

const controls: Readonly<Record<Control, ComponentType<ControlProps>>> = {
  text: Text,
  prose: Prose,
  address: Address,
  number: WholeOrNot,
  choice: Choice,
  date: Moment,
  toggle: Toggle,
  password: Sealed,
  list: Lines,
  object: props => <Parts {...props} Part={FieldControl} />,
  json: Json,
}

/** The input for a field. */
export function FieldControl(props: ControlProps<Field>) {
  const Input = controls[props.field.control]
  return <Input {...props} />
}
