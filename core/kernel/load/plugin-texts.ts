import { preferredLanguage } from '../../plugin/preferred-language.ts'
import type { Plugin } from '../../plugin.ts'

/** What a plugin is called where people choose among plugins. */
export interface PluginNames {
  readonly label: string
  /** The heading it is listed under. */
  readonly group: string
}

/** Gives a text of a plugin in the language that somebody reads, or as it is where the plugin has no other. */
export type Translate = (text: string) => string

/** What a plugin says that it is called, or what its feature says: `acme.officeHours` -> `Office hours` of `Acme`. */
export function namesOf({ feature, label, group }: PluginNamed): PluginNames {
  const [first = '', name = ''] = feature.split('.')
  return { label: label ?? wordsOf(name), group: group ?? wordsOf(first) }
}

type PluginNamed = Pick<Plugin, 'label' | 'group'> & { readonly feature: string }

/** `rescanAll` -> `Rescan all`. */
export function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`).trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** @param acceptLanguage the header, as sent: its first choice counts, as `de-AT` and else `de` */
export function translatorOf({ translations }: Partial<Plugin>, acceptLanguage: string): Translate {
  if (!translations) return text => text
  const wanted = preferredLanguage(acceptLanguage).toLowerCase()
  const inLanguage = (language: string | undefined) =>
    Object.entries(translations).find(([known]) => known.toLowerCase() === language)?.[1]
  const texts = new Map(
    Object.entries(inLanguage(wanted) ?? inLanguage(wanted.split('-')[0]) ?? {}),
  )
  return text => texts.get(text) ?? text
}

/** All that a plugin says in lists, forms and charts, which is what it can translate. */
export function textsOf(plugin: Partial<Plugin>): readonly string[] {
  const { label, group, about, fields, settings, dimensions, limits, jobs, site } = plugin
  const labelled = [fields, settings, dimensions, limits, jobs].flatMap(parts =>
    Object.values<Labelled>(parts ?? {}).flatMap(({ label, hint }) => [label, hint]),
  )
  return [label, group, about, site?.label, ...labelled].filter(text => text !== undefined)
}

interface Labelled {
  readonly label?: string
  readonly hint?: string
}
