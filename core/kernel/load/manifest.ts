import { z } from 'zod'
import type { PlaceFact, Plugin } from '../../plugin.ts'
import type { Attribution } from '../../visits/facts/place-attribution.ts'
import { dashboardEntry, describeDashboard } from './dashboard-places.ts'
import { describeField, fieldEntry } from './described-field.ts'
import { namesOf, translatorOf } from './plugin-texts.ts'

/** What the dashboard needs to know of a plugin to show it without code of its own for it. */
export const manifestEntry = z.object({
  feature: z.string(),
  about: z.string(),
  label: z.string(),
  group: z.string().meta({ description: 'The heading it is listed under.' }),
  enabled: z.boolean().meta({ description: 'On for everyone, and included in your plan.' }),
  fields: z.array(
    fieldEntry.extend({
      when: z.enum(['create', 'edit']).nullable(),
    }),
  ),
  dimensions: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      chart: z.string(),
      attribution: z.object({ text: z.string(), url: z.string() }).nullable().meta({
        description: 'Who must be credited, with this link, where the dimension is shown.',
      }),
    }),
  ),
  limits: z
    .array(z.object({ name: z.string(), label: z.string(), used: z.string() }))
    .meta({ description: 'What plans limit, and which part of `usage` counts it.' }),
  statuses: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        tone: z.enum(['good', 'warning', 'bad']).nullable(),
      }),
    )
    .meta({ description: 'Statuses that it can give a link.' }),
  scopes: z.array(z.string()).meta({ description: 'The scopes that tokens can have for it.' }),
  site: z
    .object({ path: z.string(), label: z.string() })
    .nullable()
    .meta({ description: 'The path of a page of its own, for menus.' }),
  dashboard: dashboardEntry.meta({ description: 'What the dashboard draws for it.' }),
})

export type ManifestEntry = z.infer<typeof manifestEntry>

export interface DescribedPlugin {
  /** The header of the request. Default: the texts stay as the plugin has them. */
  readonly acceptLanguage?: string
  /** Whether the reader is an admin. Default: no, and what needs one is left out. */
  readonly isAdmin?: boolean
  attributionOf?(fact: PlaceFact): Attribution | undefined
}

/** Describes a plugin without running it. One that the plan lacks is shown as not enabled and without dimensions. */
export function describePlugin(
  plugin: Plugin,
  enabled: boolean,
  { acceptLanguage = '', isAdmin = false, attributionOf = () => undefined }: DescribedPlugin = {},
): ManifestEntry {
  const attribution = plugin.reads?.map(attributionOf).find(it => it !== undefined) ?? null
  const translate = translatorOf(plugin, acceptLanguage)
  const { label, group } = namesOf(plugin)
  const { site } = plugin
  return {
    feature: plugin.feature,
    about: translate(plugin.about),
    label: translate(label),
    group: translate(group),
    enabled,
    fields: Object.entries(plugin.fields ?? {}).map(([name, field]) => ({
      ...describeField(name, field, translate),
      when: field.when ?? null,
    })),
    dimensions: enabled
      ? Object.entries(plugin.dimensions ?? {}).map(([name, { label, chart }]) => ({
          name,
          label: translate(label),
          chart: chart ?? 'bar',
          attribution,
        }))
      : [],
    limits: Object.entries(plugin.limits ?? {}).map(([name, { label, used }]) => ({
      name,
      label: translate(label),
      used,
    })),
    statuses: Object.entries(plugin.statuses ?? {}).map(([name, { label }]) => ({
      name,
      label: translate(label),
      tone: plugin.unstable?.dashboard?.statuses?.[name]?.tone ?? null,
    })),
    scopes: [...(plugin.scopes ?? [])],
    site:
      site?.label === undefined ? null : { path: `/${site.path}/`, label: translate(site.label) },
    dashboard: describeDashboard(plugin, translate, { enabled, isAdmin }),
  }
}
