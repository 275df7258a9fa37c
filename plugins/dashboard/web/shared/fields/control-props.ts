import { texts } from '../../texts.ts'
import { type Errors, errorWithin } from './errors.ts'
import type { Field } from './field.ts'

/** The props of every input of a form. */
export interface ControlProps<F extends Field<string> = Field<string>> {
  readonly field: F
  readonly value: unknown
  readonly errors: Errors
  /** There is a value that nobody can read: a password. */
  readonly isSealed?: boolean
  /** Its label is already shown above it. */
  readonly isAlone?: boolean
  onChange(value: unknown): void
}

/** The props of Mantine's inputs for a field. */
export function inputProps({ field, errors }: Pick<ControlProps, 'field' | 'errors'>) {
  const { name, label, hint, isRequired, state } = field
  return {
    name,
    label,
    description: state === 'fixed' ? texts.fields.fixed : hint,
    error: errorWithin(errors, name),
    disabled: state === 'barred',
    readOnly: state === 'fixed',
    required: isRequired,
  }
}

/** A value as the text in an input. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
