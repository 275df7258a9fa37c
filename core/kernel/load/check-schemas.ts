import type { z } from 'zod'
import { looseObjects } from '../../lib/schema/loose-objects.ts'
import type { Plugin } from '../../plugin.ts'

/** What is wrong with the schemas of a plugin that requests are checked by. */
export function checkSchemas({
  endpoints = {},
  fields = {},
  filter,
}: Partial<Plugin>): readonly string[] {
  const filters = Object.entries(filter?.query ?? {})
  return [
    ...Object.entries(endpoints).flatMap(([name, { body, query }]) => [
      ...mistakesIn(body, `the body of ${name}`),
      ...mistakesIn(query, `the query of ${name}`),
    ]),
    ...Object.entries(fields).flatMap(([name, { schema }]) => mistakesIn(schema, name)),
    ...filters.flatMap(([name, it]) => mistakesIn(it, `the filter ${name}`)),
    ...filters
      .filter(([, it]) => !isOptional(it))
      .map(
        ([name]) => `has a filter ${name} that applies to lists without it. Remove its default.`,
      ),
  ]
}

/** Whether the kernel can make it optional: whoever does not send it must not get a value. */
function isOptional(schema: z.ZodType): boolean {
  try {
    const { success, data } = schema.optional().safeParse(undefined)
    return success && data === undefined
  } catch {
    return false
  }
}

/** Unknown fields must be refused, and never be silently ignored. */
function mistakesIn(schema: z.ZodType | undefined, part: string): readonly string[] {
  return looseObjects(schema, part).map(
    at => `accepts unknown fields in ${at}. Make it a z.strictObject.`,
  )
}
