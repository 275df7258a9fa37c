import type { z } from 'zod'
import type { Side } from '../../lib/schema/json-schema.ts'
import {
  inheritedNames,
  looseObjects,
  undescribed,
  unsentValues,
} from '../../lib/schema/schemas-inside.ts'
import type { Plugin } from '../../plugin.ts'

/** What is wrong with the schemas of a plugin that requests and answers are checked by. */
export function checkSchemas({
  computed,
  endpoints = {},
  fields = {},
  filter,
}: Partial<Plugin>): readonly string[] {
  const filters = Object.entries(filter?.query ?? {})
  return [
    ...Object.entries(endpoints).flatMap(([name, { body, query, answer }]) => [
      ...mistakesIn(body, `the body of ${name}`),
      ...mistakesIn(query, `the query of ${name}`),
      ...unsentIn(answer, `the answer of ${name}`),
    ]),
    ...Object.entries(fields).flatMap(([name, { schema }]) => [
      ...mistakesIn(schema, name),
      ...unsentIn(schema, name),
    ]),
    ...Object.entries(computed?.schema ?? {}).flatMap(([name, it]) => unsentIn(it, name)),
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

/** Unknown fields must be refused, and never be silently ignored; one that nobody sent must not seem to be there. */
function mistakesIn(schema: z.ZodType | undefined, part: string): readonly string[] {
  return [
    ...looseObjects(schema, part).map(
      at => `accepts unknown fields in ${at}. Make it a z.strictObject.`,
    ),
    ...inheritedNames(schema, part).map(
      at => `accepts in ${at} a name that every object in JavaScript has. Rename it.`,
    ),
    ...undescribedIn(schema, part, 'input'),
  ]
}

function unsentIn(schema: z.ZodType | undefined, part: string): readonly string[] {
  return [
    ...unsentValues(schema, part).map(
      at => `has values in ${at} that JSON has no form for. Make them texts or numbers.`,
    ),
    ...undescribedIn(schema, part, 'output'),
  ]
}

/** The API is described as a whole: one of these would take its description from everybody. */
function undescribedIn(schema: z.ZodType | undefined, part: string, side: Side) {
  return undescribed(schema, part, side).map(
    at =>
      `has ${at} with an example or another meta that JSON has no form for, or with the id of another schema. Correct its meta({ … }).`,
  )
}
