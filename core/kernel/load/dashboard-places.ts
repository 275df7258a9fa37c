import { z } from 'zod'
import type { ShownValue, ShownWord } from '../../plugin/dashboard/dashboard.ts'
import type { Plugin } from '../../plugin.ts'
import type { Translate } from './plugin-texts.ts'

const words = z
  .array(
    z.object({
      value: z.string(),
      label: z.string(),
      tone: z.enum(['good', 'warning', 'bad']).nullable(),
    }),
  )
  .meta({ description: 'What values are called.' })

const shownValue = z.object({
  name: z.string(),
  label: z.string(),
  as: z.enum(['date', 'address']).nullable(),
  words,
})

/** What the dashboard draws for a plugin. */
export const dashboardEntry = z.object({
  columns: z.array(shownValue).meta({ description: 'Members of links to show.' }),
  filters: z
    .array(z.object({ name: z.string(), label: z.string(), words }))
    .meta({ description: 'Parameters of `GET /links` to offer, with the values to choose from.' }),
})

/** Describes what a plugin declares in `unstable.dashboard`, in the language of `said`. */
export function describeDashboard(
  { unstable }: Partial<Plugin>,
  translate: Translate,
): z.infer<typeof dashboardEntry> {
  const { columns = {}, filters = {} } = unstable?.dashboard ?? {}
  return {
    columns: valuesOf(columns, translate),
    filters: Object.entries(filters).map(([name, { label, words }]) => ({
      name,
      label: translate(label),
      words: wordsOf(words, translate),
    })),
  }
}

/** All texts in it, which the plugin can translate. */
export function dashboardTexts(plugin: Partial<Plugin>): readonly string[] {
  const texts: string[] = []
  describeDashboard(plugin, text => {
    texts.push(text)
    return text
  })
  return texts
}

function valuesOf(values: Readonly<Record<string, ShownValue>>, translate: Translate) {
  return Object.entries(values).map(([name, { label, as, words = {} }]) => ({
    name,
    label: translate(label),
    as: as ?? null,
    words: wordsOf(words, translate),
  }))
}

function wordsOf(words: Readonly<Record<string, ShownWord>>, translate: Translate) {
  return Object.entries(words).map(([value, { label, tone }]) => ({
    value,
    label: translate(label),
    tone: tone ?? null,
  }))
}
