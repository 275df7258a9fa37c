import { z } from 'zod'
import { membersOf, takes } from '../../lib/schema/schema-members.ts'
import type {
  Panel,
  PanelButton,
  PanelForm,
  PanelPage,
  ShownWhen,
} from '../../plugin/dashboard/panel.ts'
import type { ShownFilter, ShownValue, ShownWord } from '../../plugin/dashboard/shown-value.ts'
import { isPageQuery } from '../../plugin/lists/paging.ts'
import type { Plugin } from '../../plugin.ts'
import { describeField, fieldEntry } from './described-field.ts'
import type { Translate } from './plugin-texts.ts'
import { icons } from './shape/dashboard-shape.ts'

const words = z
  .array(
    z.object({
      value: z.string(),
      label: z.string(),
      tone: z.enum(['good', 'warning', 'bad']).nullable(),
    }),
  )
  .meta({ description: 'What values are called.' })

const shownValues = z.array(
  z.object({
    name: z.string(),
    label: z.string(),
    as: z.enum(['date', 'address', 'picture']).nullable(),
    words,
  }),
)

/** A request to an endpoint of the plugin. */
const call = {
  method: z.string(),
  path: z.string().meta({ description: 'Below `/api/v1`, with its parameters as `:link`.' }),
}

const when = z
  .array(
    z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
  )
  .meta({ description: 'What members of `data` have to be for it to be there.' })

/** What an action shows once, and when there is such an action. */
const shownAction = {
  show: shownValues.meta({ description: 'Members of `data` in the answer to show once.' }),
  when,
}

const buttons = z.array(
  z.object({
    ...call,
    label: z.string(),
    confirm: z.string().nullable(),
    passkey: z.object(call).nullable().meta({
      description: 'Gets the passkey that the browser makes from `data.options` in the answer.',
    }),
    done: z.string().nullable(),
    ...shownAction,
  }),
)

const form = z
  .object({
    ...call,
    fields: z.array(fieldEntry.extend({ required: z.boolean() })),
    submit: z.string(),
    ...shownAction,
  })
  .nullable()

const filters = z.array(z.object({ name: z.string(), label: z.string(), words }))

const panelEntry = z.object({
  title: z.string(),
  lead: z.string().nullable(),
  from: z
    .object({
      ...call,
      isPaged: z.boolean().meta({ description: 'A list that is read in pages.' }),
    })
    .nullable(),
  rows: shownValues,
  form,
  table: z.object({ columns: shownValues, filters, edit: form, buttons }).nullable(),
  chart: z
    .object({ kind: z.enum(['bars', 'line']), label: z.string(), words, value: z.string() })
    .nullable(),
  buttons,
  when,
})

/** What the dashboard draws for a plugin. */
export const dashboardEntry = z.object({
  columns: shownValues.meta({ description: 'Members of links to show.' }),
  filters: filters.meta({
    description: 'Parameters of `GET /links` to offer, with the values to choose from.',
  }),
  linkPanel: panelEntry.nullable().meta({ description: 'A panel on the page of each link.' }),
  settings: z.array(panelEntry).meta({ description: 'Sections of the settings of an account.' }),
  page: z
    .object({
      label: z.string(),
      icon: z.enum(icons),
      lead: z.string().nullable(),
      panels: z.array(panelEntry),
    })
    .nullable()
    .meta({ description: 'A page of its own, for menus.' }),
})

export interface Reader {
  /** Whether the plan of the reader has the plugin. */
  readonly enabled: boolean
  readonly isAdmin: boolean
}

/** Describes what a plugin declares in `unstable.dashboard`, in the language of `translate`, without what the reader may not do. */
export function describeDashboard(
  plugin: Partial<Plugin>,
  translate: Translate,
  reader: Reader,
): z.infer<typeof dashboardEntry> {
  const { dashboard = {} } = plugin.unstable ?? {}
  const { columns = {}, filters = {}, linkPanel, settings = [], page } = dashboard
  const isFor = (call: string) =>
    reader.isAdmin || plugin.endpoints?.[call as `GET ${string}`]?.scope !== 'admin'
  const panelOf = (panel: Panel | undefined) =>
    reader.enabled && panel ? describePanel(plugin, panel, translate, isFor) : undefined
  const panels = (page?.panels ?? []).flatMap(it => panelOf(it) ?? [])
  return {
    columns: valuesOf(columns, translate),
    filters: filtersOf(filters, translate),
    linkPanel: panelOf(linkPanel) ?? null,
    settings: settings.flatMap(it => panelOf(it) ?? []),
    page: page && panels.length > 0 ? { ...pageOf(page, translate), panels } : null,
  }
}

function pageOf({ label, icon = 'puzzle', lead }: PanelPage, translate: Translate) {
  return { label: translate(label), icon, lead: lead === undefined ? null : translate(lead) }
}

/** Undefined if there is nothing in it for the reader. */
function describePanel(
  plugin: Partial<Plugin>,
  { title, lead, from, rows = {}, table, chart, form, buttons = [], when }: Panel,
  translate: Translate,
  isFor: (call: string) => boolean,
): z.infer<typeof panelEntry> | undefined {
  const buttonsOf = (all: readonly PanelButton[] = []) =>
    all
      .filter(({ call }) => isFor(call))
      .map(({ label, call, confirm, passkey, done, ...action }) => ({
        ...callOf(call),
        label: translate(label),
        passkey: passkey === undefined ? null : callOf(passkey),
        confirm: confirm === undefined ? null : translate(confirm),
        done: done === undefined ? null : translate(done),
        ...actionOf(action, translate),
      }))
  const formOf = (form: PanelForm | undefined) =>
    form && isFor(form.call) ? describeForm(plugin, form, translate) : null
  const some = buttonsOf(buttons)
  const ownForm = formOf(form)
  if (from === undefined ? !ownForm && some.length === 0 : !isFor(from)) return undefined
  return {
    title: translate(title),
    lead: lead === undefined ? null : translate(lead),
    from:
      from === undefined
        ? null
        : { ...callOf(from), isPaged: isPageQuery(plugin.endpoints?.[from]?.query) },
    rows: valuesOf(rows, translate),
    table: table
      ? {
          columns: valuesOf(table.columns, translate),
          filters: filtersOf(table.filters ?? {}, translate),
          edit: formOf(table.edit),
          buttons: buttonsOf(table.buttons),
        }
      : null,
    chart: chart ? { ...chart, words: wordsOf(chart.words ?? {}, translate) } : null,
    form: ownForm,
    buttons: some,
    when: whenOf(when),
  }
}

function describeForm(plugin: Partial<Plugin>, form: PanelForm, translate: Translate) {
  return {
    ...callOf(form.call),
    fields: Object.entries(form.fields).map(([name, field]) => ({
      ...describeField(name, field, translate),
      required: isRequired(plugin, form.call, name),
    })),
    submit: translate(form.submit),
    ...actionOf(form, translate),
  }
}

function actionOf({ show = {}, when }: Pick<PanelForm, 'show' | 'when'>, translate: Translate) {
  return { show: valuesOf(show, translate), when: whenOf(when) }
}

function whenOf(when: ShownWhen = {}) {
  return Object.entries(when).map(([name, value]) => ({ name, value }))
}

function filtersOf(filters: Readonly<Record<string, ShownFilter>>, translate: Translate) {
  return Object.entries(filters).map(([name, { label, words }]) => ({
    name,
    label: translate(label),
    words: wordsOf(words, translate),
  }))
}

function isRequired({ endpoints }: Partial<Plugin>, call: string, name: string): boolean {
  const { body } = endpoints?.[call as `POST ${string}`] ?? {}
  const member = membersOf(body)?.[name]
  return member !== undefined && !takes(member, undefined)
}

/** `POST /moods` -> its method and its path. */
function callOf(name: string) {
  const [method = '', path = ''] = name.split(' ')
  return { method, path }
}

/** All texts in it, which the plugin can translate. */
export function dashboardTexts(plugin: Partial<Plugin>): readonly string[] {
  const texts: string[] = []
  const note: Translate = text => {
    texts.push(text)
    return text
  }
  describeDashboard(plugin, note, { enabled: true, isAdmin: true })
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
