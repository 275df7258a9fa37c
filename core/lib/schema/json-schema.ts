import { z } from 'zod'

/** A JSON Schema, draft 2020-12: what zod writes and OpenAPI 3.1 reads. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Which side of a schema: what goes in, or what comes out. */
export type Side = 'input' | 'output'

/** The JSON Schema of a zod schema. */
export function jsonSchemaOf(schema: z.ZodType, io: Side): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: it => io === 'input' && keepSamples(it),
  })
  return rest
}

/** Of input that is transformed, zod leaves out the default and the examples, since they may be those of the output. */
function keepSamples({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: JsonSchema
}): void {
  const { def } = zodSchema._zod
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  const isInput = (value: unknown) => takes(zodSchema, value)
  if (def.type === 'default' && isInput(def.defaultValue)) jsonSchema.default ??= def.defaultValue
  if (Array.isArray(examples) && examples.every(isInput)) jsonSchema.examples ??= examples
}

function takes(schema: z.core.$ZodType, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success
  } catch {
    // A check that waits for something, or fails, says nothing of the value.
    return false
  }
}
