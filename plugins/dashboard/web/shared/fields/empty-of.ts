import { controlFor } from './control-of.ts'
import { type JsonSchema, withoutNull } from './json-schema.ts'

/** What a value of this schema is when nothing is in its input. */
export function emptyOf(schema: JsonSchema): unknown {
  const isNullable = withoutNull(schema) !== schema
  if (isNullable) return null
  const control = controlFor(schema)
  if (control === 'toggle') return false
  return control === 'list' ? [] : null
}
