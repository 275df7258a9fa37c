import { texts } from '../../texts.ts'
import { type Errors, errorWithin } from './errors.ts'
import type { Field } from './field.ts'

/** What every input of a form gets. */
export interface ControlProps<F extends Field<string> = Field<string>> {
  readonly field: F
  readonly value: unknown
  readonly errors: Errors
  /** There is a value that nobody may read: a password. */
  readonly isSealed?: boolean
  /** Its label is said above it already. */
  readonly isAlone?: boolean
  onChange(value: unknown): void
}

/** What Mantine's inputs want to know of a field. */
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

/** A text as an input shows it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
