import { z } from 'zod'

/** A JSON Schema, draft 2020-12: what zod writes and OpenAPI 3.1 reads. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Which side of a schema: what goes in, or what comes out. */
export type Side = 'input' | 'output'

/** The JSON Schema of a zod schema. */
export function jsonSchemaOf(schema: z.ZodType, io: Side): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** The schemas inside a schema, each with what a path to it adds: `.name`, `[]`, or nothing. */
export function schemasInside(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const found: (readonly [string, unknown])[] = [
    ...Object.entries({ ...schema.$defs, ...schema.properties }).map(
      ([name, it]) => [`.${name}`, it] as const,
    ),
    ...['items', 'additionalProperties'].map(key => ['[]', schema[key]] as const),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap(key =>
      Array.isArray(schema[key]) ? schema[key].map(it => ['', it] as const) : [],
    ),
  ]
  return found.filter(
    (it): it is [string, JsonSchema] => typeof it[1] === 'object' && it[1] !== null,
  )
}
