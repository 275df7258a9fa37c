import type { z } from 'zod'
import { namedSchemas } from '../../lib/schema/schemas-inside.ts'
import { listSchema } from '../../plugin/lists/paging.ts'
import { scopeSchema } from '../../plugin/token-keeper.ts'
import type { Plugin } from '../../plugin.ts'

/** Schemas by the id that OpenAPI names them by. */
type Named = ReadonlyMap<string, z.core.$ZodType>

/** Finding them takes longer than a redirect should wait while plugins are switched. */
const found = new WeakMap<Partial<Plugin>, Named>()

/** Those that plugins get from Linnet. */
export const lentSchemas = namedSchemas([listSchema(scopeSchema)])

/** Those of a plugin. None if they are of an unknown kind, which `checkPlugin` says. */
export function schemasOf(plugin: Partial<Plugin>): Named {
  const named = found.get(plugin) ?? findSchemas(plugin)
  found.set(plugin, named)
  return named
}

function findSchemas({ endpoints = {}, fields = {}, computed, filter }: Partial<Plugin>): Named {
  try {
    return namedSchemas([
      ...Object.values(endpoints).flatMap(({ body, query, answer }) => [body, query, answer]),
      ...Object.values(fields).flatMap(({ schema, shown }) => [schema, shown?.schema]),
      ...Object.values(computed?.schema ?? {}),
      ...Object.values(filter?.query ?? {}),
    ])
  } catch {
    return new Map()
  }
}
