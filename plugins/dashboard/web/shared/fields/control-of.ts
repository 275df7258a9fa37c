import { type JsonSchema, withoutNull } from './json-schema.ts'

/** The kinds of input for a value. */
export type Control =
  | 'text'
  | 'prose'
  | 'address'
  | 'number'
  | 'choice'
  | 'date'
  | 'toggle'
  | 'password'
  | 'list'
  | 'object'
  | 'json'

/** The controls that a plugin may ask for. It gets one if the value has a fitting type. */
const asked: Readonly<Record<string, Control>> = {
  address: 'address',
  date: 'date',
  password: 'password',
}

/** Texts that may have at least this many characters get several lines. */
const proseLength = 1_000

/**
 * The input for a field of a plugin. Every field has one: if the requested control is unknown, the schema
 * decides, and anything at all can be written as JSON.
 */
export function controlOf(control: string, schema: JsonSchema): Control {
  const bySchema = controlFor(schema)
  return bySchema === 'text' || bySchema === 'prose' ? (asked[control] ?? bySchema) : bySchema
}

/** The input for a value with this schema. */
export function controlFor(schema: JsonSchema): Control {
  const { type, enum: words, format, items, properties, maxLength = 0 } = withoutNull(schema)
  if (words?.every(it => typeof it === 'string' || typeof it === 'number')) return 'choice'
  if (type === 'boolean') return 'toggle'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array' && items && isTyped(controlFor(items))) return 'list'
  if (type === 'object' && properties) return 'object'
  if (type !== 'string') return 'json'
  if (format === 'date-time') return 'date'
  if (format === 'uri') return 'address'
  return maxLength > proseLength ? 'prose' : 'text'
}

/** Whether its value is typed text, so that several values can be entered on separate lines. */
function isTyped(control: Control): boolean {
  return control === 'text' || control === 'prose' || control === 'address'
}
