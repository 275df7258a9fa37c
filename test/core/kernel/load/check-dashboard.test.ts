import { describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import { describePlugin } from '../../../../core/kernel/load/manifest.ts'
import { type Dashboard, definePlugin, type Plugin, text, z } from '../../../../core/plugin.ts'

/** How links feel, as its author should have it. */
const moods = definePlugin({
  feature: 'acme.moods',
  about: 'Say how links feel.',
  fields: { reason: text({ label: 'Reason' }) },
  computed: { schema: { mood: z.string().nullable() }, of: links => links.map(() => ({})) },
  filter: { query: { mood: z.enum(['calm', 'glad']) }, where: () => undefined },
  translations: { de: { Mood: 'Stimmung', Calm: 'Ruhig' } },
  unstable: {
    dashboard: {
      columns: {
        mood: { label: 'Mood', words: { glad: { label: 'Glad', tone: 'good' } } },
        reason: { label: 'Reason' },
      },
      filters: { mood: { label: 'Mood', words: { calm: { label: 'Calm' } } } },
    },
  },
})

/** What is said of the plugin if the dashboard should show this. */
const saidOf = (dashboard: unknown) => {
  const { translations: _, ...plugin } = moods
  return checkPlugin({ ...plugin, unstable: { dashboard } } as Plugin, moods.feature)
}

describe('what a plugin wants the dashboard to show', () => {
  it('is described in the language of who asks', () => {
    expect(checkPlugin(moods, moods.feature)).toEqual([])
    expect(describePlugin(moods, true, { acceptLanguage: 'de' }).dashboard).toMatchObject({
      columns: [
        {
          name: 'mood',
          label: 'Stimmung',
          as: null,
          words: [{ value: 'glad', label: 'Glad', tone: 'good' }],
        },
        { name: 'reason', label: 'Reason', as: null, words: [] },
      ],
      filters: [
        { name: 'mood', label: 'Stimmung', words: [{ value: 'calm', label: 'Ruhig', tone: null }] },
      ],
    })
  })

  const at = 'acme.moods has a wrong unstable.dashboard'
  const named = (label: string) => ({ label })
  it.each<readonly [Dashboard | object, string]>([
    [[], `${at}. Write an object.`],
    [{ columns: [] }, `${at}.columns. Write an object.`],
    [{ columns: { mood: 'Mood' } }, `${at}.columns.mood. Write an object.`],
    [{ columns: { mood: {} } }, `${at}.columns.mood.label. Write a text.`],
    [
      { columns: { mood: { label: 'Mood', as: 'html' } } },
      `${at}.columns.mood.as. Write one of date, address.`,
    ],
    [
      { columns: { mood: { label: 'Mood', words: { glad: { label: 'Glad', tone: 'pink' } } } } },
      `${at}.columns.mood.words.glad.tone. Write one of good, warning, bad.`,
    ],
    [
      { columns: { mood: { label: 'Mood', words: { glad: 'Glad' } } } },
      `${at}.columns.mood.words.glad. Write an object.`,
    ],
    [
      { column: {} },
      'acme.moods has an unknown part unstable.dashboard.column. Did you mean columns?',
    ],
    [
      { columns: { moods: named('Mood') } },
      'acme.moods has unstable.dashboard.columns.moods, which is neither one of its fields nor computed. Did you mean mood?',
    ],
    [
      { columns: { title: named('Title') } },
      'acme.moods has unstable.dashboard.columns.title, which is neither one of its fields nor computed. Add it to computed.',
    ],
    [
      { filters: { reason: { label: 'Reason', words: { x: named('X') } } } },
      'acme.moods has unstable.dashboard.filters.reason, which is not in its filter. Add it to filter.query.',
    ],
    [
      { filters: { constructor: { label: 'X', words: { x: named('X') } } } },
      'acme.moods has unstable.dashboard.filters.constructor, which is not in its filter. Add it to filter.query.',
    ],
    [
      { filters: { mood: { label: 'Mood', words: {} } } },
      "acme.moods has unstable.dashboard.filters.mood without values to choose from. Add words: { value: { label: 'Value' } }.",
    ],
    [
      { filters: { mood: { label: 'Mood', words: { sad: named('Sad') } } } },
      'acme.moods has unstable.dashboard.filters.mood.words.sad, a value that its filter refuses. Correct one of the two.',
    ],
  ])('is refused if it cannot be shown, with its name: %j', (dashboard, said) => {
    expect(saidOf(dashboard)).toEqual([said])
  })
})
