import { type JsonSchema, withoutNull } from './json-schema.ts'

/** The inputs that there are for a value. */
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

/** What a plugin may ask for; it is given where the value is of that type. */
const asked: Readonly<Record<string, Control>> = {
  address: 'address',
  date: 'date',
  password: 'password',
}

/** From how many characters on a text is rather several lines. */
const proseLength = 1_000

/**
 * The input for what a plugin brings. Everything has one: what it asks for may be a word that nobody
 * knows, then the schema says it, and anything at all can be written as JSON.
 */
export function controlOf(control: string, schema: JsonSchema): Control {
  const bySchema = controlFor(schema)
  return bySchema === 'text' || bySchema === 'prose' ? (asked[control] ?? bySchema) : bySchema
}

/** The input for a value of this schema. */
export function controlFor(schema: JsonSchema): Control {
  const { type, enum: words, format, items, properties, maxLength = 0 } = withoutNull(schema)
  if (words?.every(it => typeof it === 'string')) return 'choice'
  if (type === 'boolean') return 'toggle'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array' && items && isTyped(controlFor(items))) return 'list'
  if (type === 'object' && properties) return 'object'
  if (type !== 'string') return 'json'
  if (format === 'date-time') return 'date'
  if (format === 'uri') return 'address'
  return maxLength > proseLength ? 'prose' : 'text'
}

/** Whether its value is what somebody types, so that several can stand one below the other. */
function isTyped(control: Control): boolean {
  return control === 'text' || control === 'prose' || control === 'address'
}
