import { controlFor } from './control-of.ts'
import { type JsonSchema, withoutNull } from './json-schema.ts'

/** The value with this schema when its input is empty. */
export function emptyOf(schema: JsonSchema): unknown {
  const isNullable = withoutNull(schema) !== schema
  if (isNullable) return null
  const control = controlFor(schema)
  if (control === 'toggle') return false
  return control === 'list' ? [] : null
}
