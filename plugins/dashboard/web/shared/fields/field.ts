import type { Control } from './control-of.ts'
import type { JsonSchema } from './json-schema.ts'

/** One thing that a form asks for. A form with inputs of its own has more words for controls. */
export interface Field<C extends string = Control> {
  /** Its name in a request, as `original_url`; within an object a path, as `utm.source`. */
  readonly name: string
  readonly label: string
  readonly hint: string | null
  readonly control: C
  readonly schema: JsonSchema
  /** Its label says that it must be filled in. */
  readonly isRequired: boolean
  /** What it is when nothing is in it; null says nothing, or clears what was there. */
  readonly empty: unknown
  /** `barred`: not in the plan or off for everybody; `fixed`: nothing is installed that changes it. */
  readonly state: 'on' | 'barred' | 'fixed'
}
