/** As much of JSON Schema as says which input fits. */
export interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

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
  | 'tags'
  | 'campaign'
  | 'domain'
  | 'rules'

/** Inputs that are made for one field, and know more of it than its schema says. */
const own: Readonly<Record<string, Control>> = {
  'organization.tags': 'tags',
  'organization.campaigns': 'campaign',
  'organization.customDomains': 'domain',
  'link.dynamicRouting': 'rules',
}

/** What a plugin may ask for; it is given where the value is of that type. */
const asked: Readonly<Record<string, Control>> = {
  address: 'address',
  date: 'date',
  password: 'password',
}

/** From how many characters on a text is rather several lines. */
const proseLength = 1_000

/**
 * The input for a field. Whatever a plugin brings has one: what is not known by name is known by its
 * schema, and anything at all can be written as JSON.
 */
export function controlOf(feature: string, control: string, schema: JsonSchema): Control {
  const special = own[feature]
  if (special && special === control) return special
  const bySchema = controlFor(schema)
  return bySchema === 'text' || bySchema === 'prose' ? (asked[control] ?? bySchema) : bySchema
}

/** The input for a value of this schema. */
export function controlFor(schema: JsonSchema): Control {
  const { type, enum: words, format, items, properties, maxLength = 0 } = withoutNull(schema)
  if (words?.every(it => typeof it === 'string')) return 'choice'
  if (type === 'boolean') return 'toggle'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array' && items && controlFor(items) === 'text') return 'list'
  if (type === 'object' && properties) return 'object'
  if (type !== 'string') return 'json'
  if (format === 'date-time') return 'date'
  if (format === 'uri') return 'address'
  return maxLength > proseLength ? 'prose' : 'text'
}

/** What a value may be besides null, which is said by leaving it empty. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 && others[0] ? others[0] : schema
}
