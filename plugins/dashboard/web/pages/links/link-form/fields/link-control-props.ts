import type { Link } from '../../../../api/links/links.ts'
import type { ControlProps } from '../../../../shared/fields/control-props.ts'
import type { Values } from '../../../../shared/fields/values.ts'
import type { FormField } from './form-fields.ts'

/** What every input of a link's form gets. */
export interface LinkControlProps extends ControlProps<FormField> {
  /** The link that is edited; undefined for a new one. */
  readonly link: Link | undefined
  /** All that is in the form. */
  readonly values: Values
}
