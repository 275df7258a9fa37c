import type { z } from 'zod'

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

/** The schemas inside a schema, each with what it adds to a path: `.name`, `[]`, or nothing. */
function schemasInside(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
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
      return [['', def.in._zod.def.type === 'transform' ? def.out : def.in]]
    default:
      return 'innerType' in def ? [['', def.innerType]] : []
  }
}
