import type { Link } from '../../../api/links.ts'
import { texts } from '../../../texts.ts'
import { type Errors, errorWithin } from './errors.ts'
import type { FormField } from './form-fields.ts'

/** What every input of the form gets. */
export interface ControlProps {
  readonly field: FormField
  readonly value: unknown
  readonly errors: Errors
  /** The link that is edited; undefined for a new one. */
  readonly link: Link | undefined
  /** Its label is said above it already. */
  readonly isAlone?: boolean
  /** Null clears. */
  onChange(value: unknown): void
}

/** What Mantine's inputs want to know of a field. */
export function inputProps({ field, errors }: ControlProps) {
  const { name, label, hint, isRequired, state } = field
  return {
    name,
    label,
    description: state === 'fixed' ? texts.linkForm.fixed : hint,
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
