import type { z } from 'zod'
import type { Side } from './json-schema.ts'
import { schemasInside } from './schemas-inside.ts'

/** The places where a schema accepts unknown fields, such as `body.rules[]`; `part` is the name of the whole. */
export function looseObjects(schema: z.ZodType | undefined, part: string): readonly string[] {
  return placesIn(schema, part, 'input', isLoose)
}

/** The places where a schema lets out what JSON has no form for. */
export function unsentValues(schema: z.ZodType | undefined, part: string): readonly string[] {
  return placesIn(schema, part, 'output', it => unsent.includes(defOf(it).type))
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
