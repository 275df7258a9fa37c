import type { Description, JsonSchema } from '../../../api/instance/description.ts'
import { resolve } from './operations.ts'

/** One field of a body, as a row of a table. */
export interface SchemaField {
  /** As `utm.source` or `rules[].target`. */
  readonly name: string
  /** As `string or null`. */
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

/** How many levels are told apart: what is deeper is seldom looked for in a table. */
const maxDepth = 4

/** The fields of a body and of what is in them. Of the two ways to write a name, the first. */
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

/** A body to begin with: all that must be in it, with a value that fits. */
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

/** A schema without its reference, and without the null that may stand in its place. */
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

/** `shortCode` beside `short_code`: the description says so itself. */
function isOtherName({ description = '' }: JsonSchema): boolean {
  return description.startsWith('The same as `')
}
