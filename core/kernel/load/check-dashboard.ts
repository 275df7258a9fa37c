import { meant } from '../../lib/text/nearest-name.ts'
import type { Plugin } from '../../plugin.ts'
import { checkFilters, checkPanel } from './check-panel.ts'
import { membersOfLinks } from './taken-names.ts'

const at = 'unstable.dashboard'

/** What the dashboard could not show, because the plugin has no such thing. */
export function* checkDashboard(plugin: Partial<Plugin>): Iterable<string> {
  const { columns = {}, statuses = {}, filters = {}, ...places } = plugin.unstable?.dashboard ?? {}
  const { linkPanel, settings, page } = places
  const members = membersOfLinks(plugin)
  for (const name of Object.keys(columns)) {
    if (!members.includes(name)) {
      yield `has ${at}.columns.${name}, which is neither one of its fields nor computed. ${meant(name, members, 'Add it to computed.')}`
    }
  }
  const known = Object.keys(plugin.statuses ?? {})
  for (const name of Object.keys(statuses)) {
    if (!known.includes(name)) {
      yield `has ${at}.statuses.${name}, which is none of its statuses. ${meant(name, known, 'Add it to statuses.')}`
    }
  }
  yield* checkFilters(filters, plugin.filter?.query ?? {}, `${at}.filters`, 'its filter')
  if (linkPanel) yield* checkPanel(plugin, linkPanel, `${at}.linkPanel`, 'a link')
  for (const [index, panel] of (settings ?? []).entries()) {
    yield* checkPanel(plugin, panel, `${at}.settings[${index}]`, 'nothing')
  }
  if (page && !page.panels?.length) yield `has ${at}.page without panels. Add one.`
  for (const [index, panel] of (page?.panels ?? []).entries()) {
    yield* checkPanel(plugin, panel, `${at}.page.panels[${index}]`, 'nothing')
  }
}
