import type { Control } from './control-of.ts'
import type { JsonSchema } from './json-schema.ts'

/** One field of a form. `C` is wider for forms that have inputs of their own. */
export interface Field<C extends string = Control> {
  /** Its name in a request, such as `original_url`; within an object a path, such as `utm.source`. */
  readonly name: string
  readonly label: string
  readonly hint: string | null
  /** What people read in place of the values of a choice. */
  readonly labels?: Readonly<Record<string, string>>
  readonly control: C
  readonly schema: JsonSchema
  /** The label marks it as required. */
  readonly isRequired: boolean
  /** The value of an empty input; null means nothing, or removes the previous value. */
  readonly empty: unknown
  /** `barred`: not in the plan, or off for everybody. `fixed`: no installed plugin can change it. */
  readonly state: 'on' | 'barred' | 'fixed'
}

/** What people read in place of a value of a choice. */
export function labelOf({ labels = {} }: Pick<Field, 'labels'>, value: string | number): string {
  return (Object.hasOwn(labels, value) ? labels[value] : undefined) ?? String(value)
}
