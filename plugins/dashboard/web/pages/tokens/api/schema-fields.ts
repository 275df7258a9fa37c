import type { Description, JsonSchema } from '../../../api/instance/description.ts'
import { resolve } from './operations.ts'

/** One field of a body, as a row of a table. */
export interface SchemaField {
  /** Such as `utm.source` or `rules[].target`. */
  readonly name: string
  /** Such as `string or null`. */
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

/** How many levels of nesting to list; deeper fields are seldom looked up in a table. */
const maxDepth = 4

/** The fields of a body, with nested ones. If a name has two spellings, only the first is listed. */
export function fieldsOf(description: Description, schema: JsonSchema): readonly SchemaField[] {
  return within(description, schema, '', 0)
}

function within(
  description: Description,
  schema: JsonSchema,
  prefix: string,
  depth: number,
): readonly SchemaField[] {
  if (depth > maxDepth) return []
  const { properties, items, required = [] } = present(description, schema)
  if (items) return within(description, items, `${prefix}[]`, depth)
  return Object.entries(properties ?? {})
    .filter(([, property]) => !isOtherName(property))
    .flatMap(([key, property]) => {
      const name = prefix === '' ? key : `${prefix}.${key}`
      const about = property.description ?? present(description, property).description ?? ''
      const field = {
        name,
        type: typeOf(description, property),
        isRequired: required.includes(key),
        about,
      }
      return [field, ...within(description, property, name, depth + 1)]
    })
}

/** An initial body: all required fields, with values that fit. */
export function exampleOf(description: Description, schema: JsonSchema): unknown {
  const { properties = {}, required = [], ...it } = present(description, schema)
  if (it.const !== undefined) return it.const
  if (it.enum) return it.enum[0]
  if (it.examples) return it.examples[0]
  switch (namedType(it.type)) {
    case 'array':
      return []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return it.minimum ?? 1
    case 'string':
      return texts[it.format ?? ''] ?? ''
    default: {
      const needed = required.map(key => [key, exampleOf(description, properties[key] ?? {})])
      return Object.fromEntries(needed)
    }
  }
}

const texts: Readonly<Record<string, string>> = {
  iri: 'https://example.com/',
  uri: 'https://example.com/',
  email: 'ada@example.org',
  'date-time': '2030-01-01T00:00:00Z',
}

/** A schema with its reference resolved and without null as an alternative. */
function present(description: Description, schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...rest } = resolve(description, schema)
  const choice = (anyOf ?? oneOf)?.find(({ type }) => type !== 'null')
  return choice ? { ...rest, ...present(description, choice) } : rest
}

function typeOf(description: Description, schema: JsonSchema): string {
  const {
    anyOf,
    oneOf,
    type,
    format,
    items,
    enum: values,
    const: only,
  } = resolve(description, schema)
  const choices = anyOf ?? oneOf
  if (choices) return [...new Set(choices.map(it => typeOf(description, it)))].join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (values) return values.map(value => JSON.stringify(value)).join(', ')
  if (items) return `array of ${typeOf(description, items)}`
  const named = typeof type === 'string' ? type : (type ?? []).join(' or ')
  return format ? `${named} (${format})` : named || 'any'
}

function namedType(type: JsonSchema['type']): string | undefined {
  return typeof type === 'string' ? type : type?.find(it => it !== 'null')
}

/** Whether this is the second spelling of a name, as in `shortCode` and `short_code`. The description says so. */
function isOtherName({ description = '' }: JsonSchema): boolean {
  return description.startsWith('The same as `')
}
