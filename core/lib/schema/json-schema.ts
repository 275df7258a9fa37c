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
