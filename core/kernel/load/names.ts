import { toSnake } from '../../lib/text/casing.ts'
import { nearestName } from '../../lib/text/nearest-name.ts'
import { kindOfEndpoint } from '../../plugin/collection/collection.ts'
import type { Plugin } from '../../plugin.ts'

/** The prefix of a plugin's tables: `acme.officeHours` -> `acme_office_hours`. */
export function tablePrefix(feature: string): string {
  return toSnake(feature).replace(/[^a-z0-9]+/g, '_')
}

/** Whether a table or index belongs to the plugin with this prefix. */
export function isOwnName(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}_`)
}

/** The name of a file that a plugin keeps. */
export const fileNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** The kinds of things that only Linnet tells of. */
export const kindsOfLinnet: readonly string[] = [
  'link',
  'account',
  'token',
  'session',
  'step',
  'identity',
  'settings',
  'plugins',
  'events',
]

/** The kinds of things that a plugin tells of: those that it declares, and those of its collections. */
export function kindsToldBy({ endpoints = {}, unstable }: Partial<Plugin>): readonly string[] {
  const ofCollections = Object.values(endpoints).flatMap(it => kindOfEndpoint(it) ?? [])
  return [...new Set([...(unstable?.tells ?? []), ...ofCollections])]
}

/** The kinds that plugins hear of and that nothing here tells of: the plugin that does may be off. */
export function untoldKinds(
  plugin: Pick<Plugin, 'events'>,
  all: readonly Plugin[],
): readonly string[] {
  const told = [...kindsOfLinnet, ...all.flatMap(kindsToldBy)]
  return plugin.events?.kinds.filter(kind => !told.includes(kind)) ?? []
}

/** Finds kinds that are spelled wrong: nothing of them would ever be heard. */
export function misspeltKinds(plugins: readonly Plugin[]): readonly string[] {
  const told = [...kindsOfLinnet, ...plugins.flatMap(kindsToldBy)]
  return plugins.flatMap(({ feature, events }) =>
    (events?.kinds ?? []).flatMap(kind => {
      const nearest = told.includes(kind) ? undefined : nearestName(kind, told)
      return nearest === undefined
        ? []
        : `${feature} hears of "${kind}", of which nothing is told. Did you mean ${nearest}?`
    }),
  )
}
