import { z } from 'zod'
import { namedSchemas } from '../../lib/schema/schemas-inside.ts'
import { listSchema } from '../../plugin/lists/paging.ts'
import { scopeSchema } from '../../plugin/token-keeper.ts'
import type { Plugin } from '../../plugin.ts'
import { unfitToAdd } from '../contain/check-additions.ts'
import {
  addressesOf,
  addressesOfApi,
  namesOfAnalytics,
  namesOfLink,
  namesOfList,
  namesOfPlan,
  namesOfRequest,
  schemasOfApi,
} from './taken-names.ts'

/** Schemas by the id that OpenAPI names them by. */
type Named = ReadonlyMap<string, z.core.$ZodType>

/** Finding them takes longer than a redirect should wait while plugins are switched. */
const found = new WeakMap<Partial<Plugin>, Named>()

/** Those that plugins get from Linnet. */
const lentSchemas = namedSchemas([listSchema(scopeSchema)])

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

/** What is looked up by a name that objects inherit seems to be there where nobody sent, set or counted it. */
export function* checkInheritedNames(plugin: Partial<Plugin>): Iterable<string> {
  const { settings, fields, computed, statuses, filter, limits, usage } = plugin
  const query = filter?.query
  const named = {
    settings,
    fields,
    computed: computed?.schema,
    statuses,
    filter: query,
    limits,
    usage,
  }
  for (const [part, names] of Object.entries(named)) {
    for (const name of Object.keys(names ?? {})) {
      if (!(name in Object.prototype)) continue
      yield `has ${name} in its ${part}, a name that every object in JavaScript has. Rename it.`
    }
  }
}

/** A plugin's field with the name of a core field would replace it in requests or answers. */
export function* checkTakenNames(plugin: Partial<Plugin>): Iterable<string> {
  for (const [name, { when, stored, shown }] of Object.entries(plugin.fields ?? {})) {
    const kinds = when ? [when] : (['create', 'edit'] as const)
    if (kinds.some(kind => namesOfRequest[kind].includes(name))) {
      yield `has a field ${name}, which requests for links already have. Rename it.`
    } else if (stored && shown && namesOfLink.includes(shown.name(name))) {
      yield `has a field ${name}, which shows as ${shown.name(name)}, a name that links already have. Rename it, or set stored: false.`
    }
  }
  const { schema = {}, atFirst } = plugin.computed ?? {}
  const isFitting = () =>
    unfitToAdd(atFirst) === undefined && z.strictObject(schema).safeParse(atFirst).success
  if (atFirst && !isFitting()) {
    yield `has computed.atFirst, which does not match its schema, or is not JSON.`
  }
  for (const name of Object.keys(schema)) {
    if (namesOfLink.includes(name)) {
      yield `computes ${name} of links, a name that links already have. Rename it.`
    }
  }
  for (const name of Object.keys(plugin.filter?.query ?? {})) {
    if (namesOfList.includes(name)) {
      yield `has a filter ${name}, a parameter that the list of links already has. Rename it.`
    }
  }
  for (const kind of ['limits', 'usage'] as const) {
    for (const name of Object.keys(plugin[kind] ?? {})) {
      if (namesOfPlan[kind].includes(name)) {
        yield `has ${name} among its ${kind}, a name that plans already have. Rename it.`
      }
    }
  }
  for (const address of addressesOf(plugin)) {
    if (addressesOfApi.includes(address)) {
      yield `has an endpoint ${address}, which the API already has. Use another path.`
    }
  }
  for (const [id, schema] of schemasOf(plugin)) {
    if (schemasOfApi.includes(id) && lentSchemas.get(id) !== schema) {
      yield `has a schema with the id ${id}, which the API already has. Rename it.`
    }
  }
  for (const name of Object.keys(plugin.dimensions ?? {})) {
    if (namesOfAnalytics.includes(name)) {
      yield `has a dimension ${name}, a name that answers of /analytics already have. Rename it.`
    }
  }
}
