import type { ComponentType } from 'react'
import type { Control } from '../control-of.ts'
import type { ControlProps } from '../control-props.ts'
import type { Field } from '../field.ts'
import { Moment } from './moment.tsx'
import { Parts } from './parts.tsx'
import { Choice, Toggle, WholeOrNot } from './plain.tsx'
import { Sealed } from './sealed.tsx'
import { Address, Prose, Text } from './text.tsx'
import { Json, Lines } from './written.tsx'

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
