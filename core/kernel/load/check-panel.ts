import { z } from 'zod'
import { membersOf, takes } from '../../lib/schema/schema-members.ts'
import { meant } from '../../lib/text/nearest-name.ts'
import type { Panel, PanelButton, PanelForm, ShownWhen } from '../../plugin/dashboard/panel.ts'
import type { ShownFilter } from '../../plugin/dashboard/shown-value.ts'
import type { Endpoint } from '../../plugin/endpoint.ts'
import type { Plugin } from '../../plugin.ts'

/** What fills the parameters of endpoints: nothing, the id of a link, or these members of an entry. */
export type Filled = 'nothing' | 'a link' | readonly string[]

/** What a panel could not show or call, because the plugin has no such endpoint, or the endpoint no such member. */
export function* checkPanel(
  plugin: Partial<Plugin>,
  panel: Panel,
  at: string,
  filled: Filled,
): Iterable<string> {
  const { from, rows, table, chart, form, buttons = [], when } = panel
  if (from !== undefined) yield* checkCall(plugin, from, `${at}.from`, ['GET'], filled)
  if (!rows && !table && !chart && !form && buttons.length === 0) {
    yield `has ${at}, which shows nothing. Add rows, a table, a chart, a form or buttons.`
  }
  if ((rows || table || chart) && from === undefined) {
    yield `has ${at} without from. Name the endpoint that answers what it shows, such as from: 'GET /moods'.`
  }
  const reader = from === undefined ? undefined : plugin.endpoints?.[from]
  if (reader) yield* checkShown(plugin, panel, at, dataOf(reader.answer), filled)
  const members = reader && membersOf(dataOf(reader.answer))
  yield* checkWhen(when, members, `${at}.when`, from)
  if (form) {
    yield* checkForm(plugin, form, `${at}.form`, ['POST', 'PATCH'], filled)
    yield* checkWhen(form.when, members, `${at}.form.when`, from)
  }
  for (const [index, button] of buttons.entries()) {
    yield* checkButton(plugin, button, `${at}.buttons[${index}]`, filled)
    yield* checkWhen(button.when, members, `${at}.buttons[${index}].when`, from)
  }
}

/** What people may choose from: parameters that there are, with values that these take. */
export function* checkFilters(
  filters: Readonly<Record<string, ShownFilter>>,
  queries: Readonly<Record<string, z.ZodType>>,
  at: string,
  by: 'its filter' | `GET ${string}`,
): Iterable<string> {
  const place = by === 'its filter' ? 'filter.query' : 'its query'
  for (const [name, { words = {} }] of Object.entries(filters)) {
    const schema = Object.hasOwn(queries, name) ? queries[name] : undefined
    if (!schema) {
      yield `has ${at}.${name}, which ${by} does not take. ${meant(name, Object.keys(queries), `Add it to ${place}.`)}`
      continue
    }
    if (Object.keys(words).length === 0) {
      yield `has ${at}.${name} without values to choose from. Add words: { value: { label: 'Value' } }.`
    }
    for (const value of Object.keys(words)) {
      if (!takes(schema, value)) {
        yield `has ${at}.${name}.words.${value}, a value that ${by} refuses. Correct one of the two.`
      }
    }
  }
}

/** Compares what is shown with the schema of `data`. */
function* checkShown(
  plugin: Partial<Plugin>,
  { from, rows, table, chart }: Panel,
  at: string,
  data: z.ZodType | undefined,
  filled: Filled,
): Iterable<string> {
  const isList = data instanceof z.ZodArray
  if (isList ? rows : table || chart) {
    yield `has ${at}.${isList ? 'rows' : table ? 'table' : 'chart'}, but ${from} answers ${isList ? 'a list. Use a table or a chart.' : 'no list. Use rows.'}`
    return
  }
  const members = membersOf(isList ? data.element : data)
  if (rows) yield* checkMembers(rows, members, `${at}.rows`, from)
  if (chart) {
    yield* checkMembers({ [chart.label]: 1, [chart.value]: 1 }, members, `${at}.chart`, from)
  }
  if (!table) return
  yield* checkMembers(table.columns ?? {}, members, `${at}.table.columns`, from)
  const { edit, filters = {}, buttons = [] } = table
  const known = [...Object.keys(members ?? {}), ...(filled === 'a link' ? ['link'] : [])]
  for (const [index, button] of buttons.entries()) {
    yield* checkButton(plugin, button, `${at}.table.buttons[${index}]`, known)
    yield* checkWhen(button.when, members, `${at}.table.buttons[${index}].when`, from)
  }
  if (edit) {
    yield* checkForm(plugin, edit, `${at}.table.edit`, ['PATCH'], known)
    yield* checkWhen(edit.when, members, `${at}.table.edit.when`, from)
  }
  if (from === undefined) return
  const queries = membersOf(plugin.endpoints?.[from]?.query) ?? {}
  yield* checkFilters(filters, queries, `${at}.table.filters`, from)
}

function* checkWhen(
  when: ShownWhen = {},
  members: Readonly<Record<string, z.ZodType>> | undefined,
  at: string,
  from: string | undefined,
): Iterable<string> {
  if (Object.keys(when).length === 0) return
  if (from === undefined) {
    yield `has ${at}, but no from that says so. Name the endpoint that does.`
    return
  }
  yield* checkMembers(when, members, at, from)
  for (const [name, value] of Object.entries(when)) {
    const schema = members && Object.hasOwn(members, name) ? members[name] : undefined
    if (value === null || !schema || takes(schema, value)) continue
    yield `has ${at}.${name}, a value that ${from} never answers. Correct one of the two.`
  }
}

function* checkButton(
  plugin: Partial<Plugin>,
  { call, passkey, show }: PanelButton,
  at: string,
  filled: Filled,
): Iterable<string> {
  yield* checkCall(plugin, call, `${at}.call`, ['GET', 'POST', 'PATCH', 'DELETE'], filled)
  if (passkey !== undefined) yield* checkPasskey(plugin, { call, passkey }, at, filled)
  const { body, answer } = plugin.endpoints?.[call as `POST ${string}`] ?? {}
  if (body && !takes(body, {})) {
    yield `has ${at}, but ${call} needs a body, which a button does not send. Use a form.`
  }
  if (call.startsWith('GET ') && answer) {
    yield `has ${at}, but ${call} answers no file to download. Use from.`
  }
  const last = passkey ?? call
  const shown = plugin.endpoints?.[last as `POST ${string}`]?.answer
  if (show) yield* checkMembers(show, membersOf(dataOf(shown)), `${at}.show`, last)
}

function* checkPasskey(
  plugin: Partial<Plugin>,
  { call, passkey }: Required<Pick<PanelButton, 'call' | 'passkey'>>,
  at: string,
  filled: Filled,
): Iterable<string> {
  yield* checkCall(plugin, passkey, `${at}.passkey`, ['POST'], filled)
  const { answer } = plugin.endpoints?.[call as `POST ${string}`] ?? {}
  yield* checkMembers({ options: 1 }, membersOf(dataOf(answer)), `${at}.passkey`, call)
  const { body } = plugin.endpoints?.[passkey] ?? {}
  yield* checkMembers({ passkey: 1 }, membersOf(body), `${at}.passkey`, passkey)
}

function* checkForm(
  plugin: Partial<Plugin>,
  { call, fields, show }: PanelForm,
  at: string,
  methods: readonly string[],
  filled: Filled,
): Iterable<string> {
  yield* checkCall(plugin, call, `${at}.call`, methods, filled)
  const endpoint = plugin.endpoints?.[call]
  if (!endpoint) return
  const members = membersOf(endpoint.body)
  yield* checkMembers(fields, members, `${at}.fields`, call)
  for (const [name, schema] of Object.entries(members ?? {})) {
    if (Object.hasOwn(fields, name) || takes(schema, undefined)) continue
    yield `has ${at} without ${name}, which ${call} needs. Add it to fields.`
  }
  const { answer } = endpoint
  if (show) yield* checkMembers(show, membersOf(dataOf(answer)), `${at}.show`, call)
}

/** Finds an endpoint that the plugin does not have, that does something else, or that needs more than there is. */
function* checkCall(
  { endpoints = {} }: Partial<Plugin>,
  call: string,
  at: string,
  methods: readonly string[],
  filled: Filled,
): Iterable<string> {
  const names = Object.keys(endpoints)
  if (!names.includes(call)) {
    yield `has ${at} "${call}", which is none of its endpoints. ${meant(call, names, 'Add it to endpoints.')}`
  } else if (!methods.includes(call.split(' ')[0] ?? '')) {
    yield `has ${at} "${call}". Name an endpoint with ${methods.join(' or ')}.`
  }
  const parameters = (call.match(/:[^/]+/g) ?? []).filter(
    it => typeof filled === 'string' || !filled.includes(it.slice(1)),
  )
  if (parameters.length > (filled === 'a link' ? 1 : 0)) {
    yield `has ${at} "${call}" with ${parameters.join(' and ')}, but ${knownAs(filled)} known there. Use an endpoint without.`
  }
}

function knownAs(filled: Filled): string {
  if (typeof filled !== 'string') return `only ${filled.join(', ')} are`
  return filled === 'a link' ? 'only the id of the link is' : 'no id is'
}

function* checkMembers(
  named: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, unknown>> | undefined,
  at: string,
  call = '',
): Iterable<string> {
  if (members === undefined) {
    yield `has ${at}, but ${call} has no such members. Give it a schema with z.strictObject.`
    return
  }
  const known = Object.keys(members)
  for (const name of Object.keys(named)) {
    if (known.includes(name)) continue
    yield `has ${at}.${name}, which ${call} does not have. ${meant(name, known, 'Add it to its schema.')}`
  }
}

/** The schema of `data` in an answer. */
function dataOf(answer: Endpoint['answer']): z.ZodType | undefined {
  const members = membersOf(answer)
  return members && Object.hasOwn(members, 'data') ? members.data : undefined
}
