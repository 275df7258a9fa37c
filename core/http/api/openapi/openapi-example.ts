import type { JsonSchema } from '../../../lib/schema/json-schema.ts'
import { toSnake } from '../../../lib/text/casing.ts'
import { type DescribedSchema, isSchema } from './openapi-schema.ts'

/**
 * An example of a whole body, put together from those of its fields: the fields that are required, and those that have an
 * example. Undefined if a required field says too little, or all together say nothing.
 */
export function exampleOf({ schema, named }: DescribedSchema): unknown {
  function one(it: JsonSchema): unknown {
    const [example] = it.examples ?? (it.const === undefined ? it.enum : [it.const]) ?? []
    const known = example ?? it.default
    if (known !== undefined) return known
    if (it.$ref !== undefined) return one(target(it.$ref))
    if (it.anyOf) return ofAlternatives(it.anyOf.filter(isSchema))
    if (isSchema(it.items) && (it.minItems ?? 0) > 0) return listOf(one(it.items))
    return it.properties ? ofObject(it) : plain(it)
  }

  function ofAlternatives(alternatives: readonly JsonSchema[]): unknown {
    const isNullable = alternatives.some(({ type }) => type === 'null')
    const chosen = alternatives.find(hasExample) ?? (isNullable ? nothing : alternatives[0])
    return chosen && one(chosen)
  }

  function ofObject({ properties = {}, required = [] }: JsonSchema): unknown {
    const shown = Object.entries(properties).flatMap(([name, it]) => {
      // Requests take fields in two cases.
      const isTwin = toSnake(name) !== name && toSnake(name) in properties
      if (!isSchema(it) || isTwin || !(required.includes(name) || hasExample(it))) return []
      // A page of a list shows one.
      const isPage = name === 'data' && isSchema(it.items)
      return [[name, isPage ? listOf(one(it.items as JsonSchema)) : one(it)] as const]
    })
    const isWhole = shown.every(([, value]) => value !== undefined)
    const saysSomething = shown.some(([, value]) => value !== null)
    return isWhole && saysSomething ? Object.fromEntries(shown) : undefined
  }

  function hasExample({ examples, anyOf = [], $ref }: JsonSchema): boolean {
    const inside = [...anyOf.filter(isSchema), ...($ref === undefined ? [] : [target($ref)])]
    return examples !== undefined || inside.some(hasExample)
  }

  function target(ref: string): JsonSchema {
    return named[ref.slice('#/components/schemas/'.length)] ?? {}
  }

  return schema.properties || schema.anyOf ? one(schema) : undefined
}

const nothing: JsonSchema = { type: 'null' }

function listOf(value: unknown): unknown {
  return value === undefined ? undefined : [value]
}

/** A value that says no more than its type; undefined if that is not enough. */
function plain({ type, format, minimum = 2, minItems = 0 }: JsonSchema): unknown {
  const plains: Readonly<Record<string, unknown>> = {
    boolean: false,
    null: null,
    object: {},
    array: minItems === 0 ? [] : undefined,
    string: format && formats[format],
    // A count, from 0 or 1. Of any other number nothing is known.
    integer: minimum < 2 ? minimum : undefined,
  }
  return Array.isArray(type) && type.includes('null') ? null : plains[String(type)]
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T12:00:00.000Z',
  date: '2026-11-20',
  email: 'ada@example.org',
}
