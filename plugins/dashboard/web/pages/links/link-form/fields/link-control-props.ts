import type { Link } from '../../../../api/links/links.ts'
import type { ControlProps } from '../../../../shared/fields/control-props.ts'
import type { Values } from '../../../../shared/fields/values.ts'
import type { FormField } from './form-fields.ts'

/** The props of every input in a link's form. */
export interface LinkControlProps extends ControlProps<FormField> {
  /** The edited link; undefined for a new one. */
  readonly link: Link | undefined
  /** All values of the form. */
  readonly values: Values
}
