import type { z } from 'zod'
import { type Casing, toSnake } from './casing.ts'
import { type JsonSchema, jsonSchemaOf, type Side } from './json-schema.ts'

/** A schema as OpenAPI has it, with the named ones it points to. */
export interface Described {
  readonly schema: JsonSchema
  /** For `components.schemas`: those that were given an id by `.meta({ id })`. */
  readonly named: Readonly<Record<string, JsonSchema>>
}

/**
 * Describe a zod schema. What goes in has its names in `casing`, and its named schemas are called
 * `…Input`, since they may differ from what comes out.
 */
export function describeSchema(schema: z.ZodType, side: Side, casing: Casing): Described {
  const nameOf = (id: string) => (side === 'input' ? `${id}Input` : id)
  const rename = side === 'input' && casing === 'snake' ? toSnake : (name: string) => name

  const rewrite = (it: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(it).map(([key, value]) => [key, rewritten(key, value)]))

  const rewritten = (key: string, value: unknown): unknown => {
    if (key === '$ref') return `#/components/schemas/${nameOf(idOf(value))}`
    if (key === 'required') return (value as string[]).map(rename)
    if (key === 'properties') return mapEntries(value as Named, rename, rewrite)
    if (Array.isArray(value) && listsOfSchemas.has(key)) return value.map(rewrite)
    return isSchema(value) && oneSchema.has(key) ? rewrite(value) : value
  }

  const { $defs = {}, ...whole } = jsonSchemaOf(schema, side)
  // A schema that has an id itself comes as a mere pointer to its definition.
  const root = $defs[idOf(whole.$ref)] ?? whole
  return { schema: rewrite(root), named: mapEntries($defs, nameOf, rewrite) }
}

type Named = Readonly<Record<string, JsonSchema>>

const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const oneSchema = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

/** `#/$defs/Link` -> `Link`. */
function idOf(ref: unknown): string {
  return String(ref).slice('#/$defs/'.length)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapEntries(
  from: Named,
  key: (name: string) => string,
  value: (schema: JsonSchema) => JsonSchema,
): Named {
  return Object.fromEntries(Object.entries(from).map(([name, it]) => [key(name), value(it)]))
}
