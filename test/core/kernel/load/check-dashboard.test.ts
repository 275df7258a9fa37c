import { describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import { describePlugin } from '../../../../core/kernel/load/manifest.ts'
import {
  type Dashboard,
  definePlugin,
  endpoint,
  listSchema,
  type Panel,
  type Plugin,
  pageQuery,
  text,
  z,
} from '../../../../core/plugin.ts'

const one = z.strictObject({ data: z.strictObject({ mood: z.string() }).nullable() })
const nothing = () => undefined
const write = { summary: 'Feel', scope: 'links:write', status: 204, handle: nothing } as const
const body = z.strictObject({ mood: z.string(), reason: z.string().optional() })

/** How links feel, as its author should have it. */
const moods = definePlugin({
  feature: 'acme.moods',
  about: 'Say how links feel.',
  fields: { reason: text({ label: 'Reason' }) },
  computed: { schema: { mood: z.string().nullable() }, of: links => links.map(() => ({})) },
  filter: { query: { mood: z.enum(['calm', 'glad']) }, where: () => undefined },
  endpoints: {
    'GET /links/:link/mood': endpoint({
      summary: 'Read it',
      scope: 'links:read',
      answer: one,
      handle: nothing,
    }),
    'GET /moods': endpoint({
      summary: 'All of one account',
      scope: 'links:read',
      query: pageQuery.extend({ mood: z.enum(['calm', 'glad']).optional() }),
      answer: listSchema(z.strictObject({ id: z.string(), mood: z.string(), links: z.int() })),
      handle: nothing,
    }),
    'DELETE /moods/:id': endpoint({ ...write }),
    'PATCH /moods/:id': endpoint({ ...write, body }),
    'POST /moods/key': endpoint({
      summary: 'Make a key',
      scope: 'links:write',
      answer: z.strictObject({ data: z.strictObject({ key: z.string() }) }),
      handle: nothing,
    }),
    'DELETE /moods/:name/of/:id': endpoint({ ...write }),
    'GET /admin/moods': endpoint({ summary: 'All', scope: 'admin', answer: one, handle: nothing }),
    'GET /moods/file': endpoint({
      summary: 'A file',
      scope: 'links:read',
      media: ['text/csv'],
      handle: nothing,
    }),
    'PATCH /links/:link/mood': endpoint({ ...write, body }),
    'DELETE /links/:link/mood': endpoint({ ...write }),
    'POST /moods/:mood/of/:link': endpoint({ ...write }),
  },
  translations: { de: { Mood: 'Stimmung', Calm: 'Ruhig', Forget: 'Vergessen', Save: 'Sichern' } },
  unstable: {
    dashboard: {
      columns: {
        mood: { label: 'Mood', words: { glad: { label: 'Glad', tone: 'good' } } },
        reason: { label: 'Reason' },
      },
      filters: { mood: { label: 'Mood', words: { calm: { label: 'Calm' } } } },
      linkPanel: {
        title: 'Mood',
        from: 'GET /links/:link/mood',
        rows: { mood: { label: 'Mood' } },
        form: {
          call: 'PATCH /links/:link/mood',
          fields: { mood: text({ label: 'Mood' }), reason: text({ label: 'Reason' }) },
          submit: 'Save',
        },
        buttons: [{ label: 'Forget', call: 'DELETE /links/:link/mood' }],
      },
    },
  },
})

/** What is said of the plugin if the dashboard should show this. */
const saidOf = (dashboard: unknown) => {
  const { translations: _, ...plugin } = moods
  return checkPlugin({ ...plugin, unstable: { dashboard } } as Plugin, moods.feature)
}

const named = (label: string) => ({ label })

describe('what a plugin wants the dashboard to show', () => {
  it('is described in the language of who asks', () => {
    expect(checkPlugin(moods, moods.feature)).toEqual([])
    expect(describePlugin(moods, true, { acceptLanguage: 'de' }).dashboard.linkPanel).toMatchObject(
      {
        title: 'Stimmung',
        lead: null,
        from: { method: 'GET', path: '/links/:link/mood' },
        rows: [{ name: 'mood', label: 'Stimmung' }],
        form: {
          ...{ method: 'PATCH', path: '/links/:link/mood', submit: 'Sichern' },
          fields: [
            { name: 'mood', label: 'Stimmung', required: true },
            { name: 'reason', label: 'Reason', required: false },
          ],
        },
        buttons: [{ label: 'Vergessen', method: 'DELETE', confirm: null, done: null }],
      },
    )
    expect(describePlugin(moods, false).dashboard.linkPanel).toBeNull()
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

  it('is left out where only admins may call it', () => {
    const panelFor = (isAdmin: boolean, panel: Omit<Panel, 'title'>) => {
      const dashboard = { linkPanel: { title: 'Moods', ...panel } }
      return describePlugin({ ...moods, unstable: { dashboard } }, true, { isAdmin }).dashboard
        .linkPanel
    }
    const from = 'GET /admin/moods'
    const rows = { mood: { label: 'Mood' } }
    expect(panelFor(false, { from, rows })).toBeNull()
    expect(panelFor(true, { from, rows })).toMatchObject({ title: 'Moods' })
    expect(panelFor(false, { from: 'GET /links/:link/mood', rows })).toMatchObject({ buttons: [] })
  })

  const panel = 'acme.moods has unstable.dashboard.linkPanel'
  const mood = { mood: named('Mood') }
  const from = 'GET /links/:link/mood'
  const call = 'PATCH /links/:link/mood'
  it.each<readonly [object, string]>([
    [{}, `${panel}, which shows nothing. Add rows, a table, a chart, a form or buttons.`],
    [
      { rows: mood },
      `${panel} without from. Name the endpoint that answers what it shows, such as from: 'GET /moods'.`,
    ],
    [
      { from: 'GET /links/:link/moods', rows: mood },
      `${panel}.from "GET /links/:link/moods", which is none of its endpoints. Did you mean GET /links/:link/mood?`,
    ],
    [
      { from: 'DELETE /links/:link/mood', rows: mood },
      `${panel}.from "DELETE /links/:link/mood". Name an endpoint with GET.`,
    ],
    [
      { from, rows: { moods: named('Mood') } },
      `${panel}.rows.moods, which ${from} does not have. Did you mean mood?`,
    ],
    [
      { from: 'GET /moods/file', rows: mood },
      `${panel}.rows, but GET /moods/file has no such members. Give it a schema with z.strictObject.`,
    ],
    [
      {
        form: {
          call,
          fields: { mod: text({ label: 'Mood' }), mood: text({ label: 'Mood' }) },
          submit: 'Save',
        },
      },
      `${panel}.form.fields.mod, which ${call} does not have. Did you mean mood?`,
    ],
    [
      { form: { call, fields: { reason: text({ label: 'Reason' }) }, submit: 'Save' } },
      `${panel}.form without mood, which ${call} needs. Add it to fields.`,
    ],
    [
      { form: { call: from, fields: {}, submit: 'Save' } },
      `${panel}.form.call "${from}". Name an endpoint with POST or PATCH.`,
    ],
    [
      { buttons: [{ label: 'Cheer', call }] },
      `${panel}.buttons[0], but ${call} needs a body, which a button does not send. Use a form.`,
    ],
    [
      { buttons: [{ label: 'Cheer', call: 'POST /moods/:mood/of/:link' }] },
      `${panel}.buttons[0].call "POST /moods/:mood/of/:link" with :mood and :link, but only the id of the link is known there. Use an endpoint without.`,
    ],
    [
      { buttons: [{ label: 'Save', call: from }] },
      `${panel}.buttons[0], but ${from} answers no file to download. Use from.`,
    ],
    [
      {
        buttons: [{ label: 'Key', call: 'POST /moods/key', show: { keys: { label: 'Key' } } }],
      },
      `${panel}.buttons[0].show.keys, which POST /moods/key does not have. Add it to its schema.`,
    ],
    [
      { form: { call, fields: { mood: text({ label: 'Mood' }) }, submit: 'Save', show: mood } },
      `${panel}.form.show, but ${call} has no such members. Give it a schema with z.strictObject.`,
    ],
    [
      { buttons: [{ label: 'Forget', call: 'DELETE /links/:link/mood', when: { mood: 'sad' } }] },
      `${panel}.buttons[0].when, but no from that says so. Name the endpoint that does.`,
    ],
    [
      { from, rows: mood, when: { mod: 'sad' } },
      `${panel}.when.mod, which ${from} does not have. Did you mean mood?`,
    ],
    [
      { from, rows: mood, when: { mood: true } },
      `${panel}.when.mood, a value that ${from} never answers. Correct one of the two.`,
    ],
  ])('has no panel that could show or call nothing: %j', (parts, said) => {
    expect(saidOf({ linkPanel: { title: 'Mood', ...parts } })[0]).toBe(said)
  })

  const list = { title: 'Moods', from: 'GET /moods' }
  const table = { columns: mood }
  const chart = { kind: 'bars', label: 'mood', value: 'links' }
  const place = 'acme.moods has unstable.dashboard.page.panels[0]'
  it.each<readonly [object, string]>([
    [
      { ...list, rows: mood },
      `${place}.rows, but GET /moods answers a list. Use a table or a chart.`,
    ],
    [
      { ...list, from: 'GET /admin/moods', table },
      `${place}.table, but GET /admin/moods answers no list. Use rows.`,
    ],
    [
      { ...list, from: 'GET /links/:link/mood', rows: mood },
      `${place}.from "GET /links/:link/mood" with :link, but no id is known there. Use an endpoint without.`,
    ],
    [
      { ...list, table: { columns: { mod: named('Mood') } } },
      `${place}.table.columns.mod, which GET /moods does not have. Did you mean mood?`,
    ],
    [
      {
        ...list,
        table: { ...table, buttons: [{ label: 'Go', call: 'DELETE /moods/:name/of/:id' }] },
      },
      `${place}.table.buttons[0].call "DELETE /moods/:name/of/:id" with :name, but only id, mood, links are known there. Use an endpoint without.`,
    ],
    [
      {
        ...list,
        table: { ...table, edit: { call: 'PATCH /moods/:id', fields: {}, submit: 'Save' } },
      },
      `${place}.table.edit without mood, which PATCH /moods/:id needs. Add it to fields.`,
    ],
    [
      { ...list, table: { ...table, filters: { mod: { label: 'Mood', words: {} } } } },
      `${place}.table.filters.mod, which GET /moods does not take. Did you mean mood?`,
    ],
    [
      {
        ...list,
        table: { ...table, filters: { mood: { label: 'Mood', words: { sad: named('Sad') } } } },
      },
      `${place}.table.filters.mood.words.sad, a value that GET /moods refuses. Correct one of the two.`,
    ],
    [
      { ...list, chart: { ...chart, value: 'link' } },
      `${place}.chart.link, which GET /moods does not have. Did you mean links?`,
    ],
    [
      { ...list, chart: { ...chart, kind: 'pie' } },
      'acme.moods has a wrong unstable.dashboard.page.panels[0].chart.kind. Write one of bars, line.',
    ],
  ])('has no page with a panel that could show nothing: %j', (wrong, message) => {
    expect(saidOf({ page: { label: 'Moods', panels: [wrong] } })[0]).toBe(message)
  })

  it('has no section of the settings that could show nothing', () => {
    expect(saidOf({ settings: [{ title: 'Moods', from: 'GET /moods', rows: mood }] })).toEqual([
      'acme.moods has unstable.dashboard.settings[0].rows, but GET /moods answers a list. Use a table or a chart.',
    ])
  })

  it('has a page with panels, and an icon that is there', () => {
    expect(saidOf({ page: { label: 'Moods' } })).toEqual([
      'acme.moods has unstable.dashboard.page without panels. Add one.',
    ])
    expect(saidOf({ page: { label: 'Moods', icon: 'cat', panels: [{ ...list, table }] } })[0]).toBe(
      'acme.moods has a wrong unstable.dashboard.page.icon. Write one of chart, gear, globe, key, link, megaphone, puzzle.',
    )
    const remove = { label: 'Delete', call: 'DELETE /moods/:id' } as const
    const edit = {
      call: 'PATCH /moods/:id',
      fields: { mood: text({ label: 'Mood' }) },
      submit: 'Save',
      when: { mood: 'calm' },
    } as const
    const filters = { mood: { label: 'Mood', words: { calm: named('Calm') } } }
    const download = { label: 'Download', call: 'GET /moods/file' } as const
    const key = { label: 'Key', call: 'POST /moods/key', show: { key: named('Key') } } as const
    const more = { edit, filters, buttons: [remove] }
    const whole = { ...list, table: { ...table, ...more }, chart, buttons: [download, key] }
    const dashboard = { page: { label: 'Moods', panels: [whole] } } as Dashboard
    expect(saidOf(dashboard)).toEqual([])
    expect(
      describePlugin({ ...moods, unstable: { dashboard } }, true).dashboard.page,
    ).toMatchObject({
      ...{ label: 'Moods', icon: 'puzzle', lead: null },
      panels: [
        {
          from: { path: '/moods', isPaged: true },
          table: {
            buttons: [{ method: 'DELETE', path: '/moods/:id', show: [], when: [] }],
            filters: [{ name: 'mood', words: [{ value: 'calm' }] }],
            edit: { method: 'PATCH', when: [{ name: 'mood', value: 'calm' }] },
          },
          buttons: [{ method: 'GET' }, { show: [{ name: 'key', label: 'Key' }] }],
          chart: { ...chart, words: [] },
        },
      ],
    })
  })

  const at = 'acme.moods has a wrong unstable.dashboard'
  it.each<readonly [Dashboard | object, string]>([
    [[], `${at}. Write an object.`],
    [{ linkPanel: {} }, `${at}.linkPanel.title. Write a text.`],
    [
      { linkPanel: { title: 'Mood', buttons: { label: 'Cheer' } } },
      `${at}.linkPanel.buttons. Write a list.`,
    ],
    [
      { linkPanel: { title: 'Mood', buttons: [{ label: 'Cheer' }] } },
      `${at}.linkPanel.buttons[0].call. Write a text.`,
    ],
    [{ columns: [] }, `${at}.columns. Write an object.`],
    [{ columns: { mood: 'Mood' } }, `${at}.columns.mood. Write an object.`],
    [{ columns: { mood: {} } }, `${at}.columns.mood.label. Write a text.`],
    [
      { columns: { mood: { label: 'Mood', as: 'html' } } },
      `${at}.columns.mood.as. Write one of date, address, picture.`,
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
      { statuses: { sad: { tone: 'bad' } } },
      'acme.moods has unstable.dashboard.statuses.sad, which is none of its statuses. Add it to statuses.',
    ],
    [
      { filters: { reason: { label: 'Reason', words: { x: named('X') } } } },
      'acme.moods has unstable.dashboard.filters.reason, which its filter does not take. Add it to filter.query.',
    ],
    [
      { filters: { constructor: { label: 'X', words: { x: named('X') } } } },
      'acme.moods has unstable.dashboard.filters.constructor, which its filter does not take. Add it to filter.query.',
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
