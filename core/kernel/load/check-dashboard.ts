import { meant } from '../../lib/text/nearest-name.ts'
import type { Plugin } from '../../plugin.ts'
import { checkPanel, takes } from './check-panel.ts'
import { membersOfLinks } from './taken-names.ts'

const at = 'unstable.dashboard'

/** What the dashboard could not show, because the plugin has no such thing. */
export function* checkDashboard(plugin: Partial<Plugin>): Iterable<string> {
  const { columns = {}, filters = {}, linkPanel, settings, page } = plugin.unstable?.dashboard ?? {}
  const members = membersOfLinks(plugin)
  for (const name of Object.keys(columns)) {
    if (!members.includes(name)) {
      yield `has ${at}.columns.${name}, which is neither one of its fields nor computed. ${meant(name, members, 'Add it to computed.')}`
    }
  }
  const queries = plugin.filter?.query ?? {}
  for (const [name, { words = {} }] of Object.entries(filters)) {
    const schema = Object.hasOwn(queries, name) ? queries[name] : undefined
    if (!schema) {
      yield `has ${at}.filters.${name}, which is not in its filter. ${meant(name, Object.keys(queries), 'Add it to filter.query.')}`
      continue
    }
    if (Object.keys(words).length === 0) {
      yield `has ${at}.filters.${name} without values to choose from. Add words: { value: { label: 'Value' } }.`
    }
    for (const value of Object.keys(words)) {
      if (!takes(schema, value)) {
        yield `has ${at}.filters.${name}.words.${value}, a value that its filter refuses. Correct one of the two.`
      }
    }
  }
  if (linkPanel) yield* checkPanel(plugin, linkPanel, `${at}.linkPanel`, 'a link')
  if (settings) yield* checkPanel(plugin, settings, `${at}.settings`, 'nothing')
  if (page && !page.panels?.length) yield `has ${at}.page without panels. Add one.`
  for (const [index, panel] of (page?.panels ?? []).entries()) {
    yield* checkPanel(plugin, panel, `${at}.page.panels[${index}]`, 'nothing')
  }
}
