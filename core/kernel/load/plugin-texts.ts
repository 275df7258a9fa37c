import { preferredLanguage } from '../../lib/text/weighted.ts'
import type { Plugin } from '../../plugin.ts'

/** The names of a plugin in lists of plugins. */
export interface PluginNames {
  readonly label: string
  /** The heading it is listed under. */
  readonly group: string
}

/** Translates a text of a plugin into the reader's language; unchanged if the plugin has no translation. */
export type Translate = (text: string) => string

/** The names that a plugin declares, or else those in its feature: `acme.officeHours` -> `Office hours` in `Acme`. */
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

/** @param acceptLanguage the header; only its preferred language counts: first as `de-AT`, then as `de` */
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

/** All texts of a plugin in lists, forms and charts. These are the texts that it can translate. */
export function textsOf(plugin: Partial<Plugin>): readonly string[] {
  const { label, group, about, fields, settings, dimensions, limits, statuses, jobs, site } = plugin
  const { providers, steps } = plugin.unstable ?? {}
  const firsts = Object.values(steps ?? {}).map(({ first }) => first ?? {})
  const parts = [fields, settings, dimensions, limits, statuses, jobs, providers, steps, firsts]
  const labelled = parts.flatMap(parts =>
    Object.values<Labelled>(parts ?? {}).flatMap(({ label, hint, labels = {} }) => [
      label,
      hint,
      ...Object.values(labels),
    ]),
  )
  return [label, group, about, site?.label, ...labelled].filter(text => text !== undefined)
}

interface Labelled {
  readonly label?: string
  readonly hint?: string
  readonly labels?: Readonly<Record<string, string>>
}
