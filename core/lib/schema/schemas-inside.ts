import { z } from 'zod'
import type { Side } from './json-schema.ts'

/**
 * The schemas inside a schema, each with what it adds to a path: `.name`, `[]`, or nothing. Of a value that is transformed,
 * what goes in or what comes out.
 */
function schemasInside(
  schema: z.core.$ZodType,
  side: Side = 'input',
): readonly (readonly [string, z.core.$ZodType])[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([name, it]) => [`.${name}`, it])
    case 'array':
      return [['[]', def.element]]
    case 'record':
      return [['[]', def.valueType]]
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])].map(it => ['[]', it])
    case 'union':
      return def.options.map(it => ['', it])
    case 'intersection':
      return [def.left, def.right].map(it => ['', it])
    case 'lazy':
      return [['', (schema as z.core.$ZodLazy)._zod.innerType]]
    case 'pipe':
      return [['', side === 'output' || def.in._zod.def.type === 'transform' ? def.out : def.in]]
    default:
      return 'innerType' in def ? [['', def.innerType]] : []
  }
}

/** The schemas with an id from `.meta({ id })`, in these and inside them, by that id: the first of each. */
export function namedSchemas(
  schemas: readonly (z.core.$ZodType | undefined)[],
): ReadonlyMap<string, z.core.$ZodType> {
  const seen = new Set(schemas.filter(it => it !== undefined))
  const named = new Map<string, z.core.$ZodType>()
  // A set that grows while it is gone through is gone through to its new end.
  for (const schema of seen) {
    const id = z.globalRegistry.get(schema)?.id
    if (id !== undefined && !named.has(id)) named.set(id, schema)
    for (const [, inside] of schemasInside(schema)) seen.add(inside)
  }
  return named
}

/** The places where a schema accepts unknown fields, such as `body.rules[]`; `part` is the name of the whole. */
export function looseObjects(schema: z.ZodType | undefined, part: string): readonly string[] {
  return placesIn(schema, part, 'input', isLoose)
}

/** The places where a schema accepts a name that objects inherit: without it, the schema reads what is inherited. */
export function inheritedNames(schema: z.ZodType | undefined, part: string): readonly string[] {
  return placesIn(schema, part, 'input', it => {
    const def = defOf(it)
    return def.type === 'object' && Object.keys(def.shape).some(name => name in Object.prototype)
  })
}

/** The places where a schema lets out what JSON has no form for. */
export function unsentValues(schema: z.ZodType | undefined, part: string): readonly string[] {
  return placesIn(schema, part, 'output', it => unsent.includes(defOf(it).type))
}

/** The places that a description cannot show: JSON has no form for their meta, or another schema has the same id. */
export function undescribed(
  schema: z.ZodType | undefined,
  part: string,
  side: Side,
): readonly string[] {
  const byId = new Map<string, z.core.$ZodType>()
  return placesIn(schema, part, side, it => {
    const meta = z.globalRegistry.get(it) ?? {}
    if (meta.id !== undefined && !byId.has(meta.id)) byId.set(meta.id, it)
    return !isWritable(meta) || (meta.id !== undefined && byId.get(meta.id) !== it)
  })
}

/** Not a bigint, and nothing that has itself in it. */
function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

const unsent: readonly string[] = ['bigint', 'symbol', 'function', 'map', 'set']

function placesIn(
  schema: z.ZodType | undefined,
  part: string,
  side: Side,
  isFound: (schema: z.core.$ZodType) => boolean,
): readonly string[] {
  const seen = new Set<z.core.$ZodType>()
  const walk = (here: z.core.$ZodType, at: string): readonly string[] => {
    if (seen.has(here)) return []
    seen.add(here)
    const inside = schemasInside(here, side).flatMap(([step, it]) => walk(it, at + step))
    return isFound(here) ? [at, ...inside] : inside
  }
  return schema === undefined ? [] : walk(schema, part)
}

function isLoose(schema: z.core.$ZodType): boolean {
  const def = defOf(schema)
  return def.type === 'object' && def.catchall?._zod.def.type !== 'never'
}

function defOf(schema: z.core.$ZodType) {
  return (schema as z.core.$ZodTypes)._zod.def
}
