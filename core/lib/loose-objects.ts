import type { z } from 'zod'
import { type JsonSchema, jsonSchemaOf, schemasInside } from './json-schema.ts'

/** Where what a schema takes could have unknown fields, as `body.rules[]`; `part` is what the whole is called. */
export function looseObjects(schema: z.ZodType | undefined, part: string): readonly string[] {
  const walk = (here: JsonSchema, at: string): readonly string[] => [
    ...(here.properties && here.additionalProperties !== false ? [at] : []),
    ...schemasInside(here).flatMap(([step, inside]) => walk(inside, at + step)),
  ]
  return schema === undefined ? [] : walk(jsonSchemaOf(schema, 'input'), part)
}
