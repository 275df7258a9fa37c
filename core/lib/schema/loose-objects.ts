import type { z } from 'zod'
import { schemasInside } from './schemas-inside.ts'

/** The places where a schema accepts unknown fields, such as `body.rules[]`; `part` is the name of the whole. */
export function looseObjects(schema: z.ZodType | undefined, part: string): readonly string[] {
  const seen = new Set<z.core.$ZodType>()
  const walk = (here: z.core.$ZodType, at: string): readonly string[] => {
    if (seen.has(here)) return []
    seen.add(here)
    const inside = schemasInside(here).flatMap(([step, it]) => walk(it, at + step))
    return isLoose(here) ? [at, ...inside] : inside
  }
  return schema === undefined ? [] : walk(schema, part)
}

function isLoose(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'object' && def.catchall?._zod.def.type !== 'never'
}
