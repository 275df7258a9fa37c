import { z } from 'zod'
import type { Json } from '../../fields.ts'
import { loadPlugin } from '../../kernel/load-plugins.ts'
import {
  describeAll,
  describePlugins,
  type OverviewDeps,
  pluginOverview,
} from '../../kernel/plugin-overview.ts'
import { loadOthers, refuseSwitch } from '../../kernel/refuse-switch.ts'
import { isRefusal, type Refusal, refuse } from '../../outcomes.ts'
import type { Plugin } from '../../plugin.ts'
import { createTurns } from '../../storage/turns.ts'
import type { Rejection } from '../problem.ts'
import { checkPart } from '../read-input.ts'
import { type Reply, type Route, route } from '../route.ts'

const path = '/admin/plugins'
const shared = { group: 'Admin', scope: 'admin', status: 200 } as const
const change = z.strictObject({
  enabled: z.boolean().optional(),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Values by name; null goes back to the default.' }),
})

/**
 * Every plugin that there is, for admins: what it is, how it does, and what becomes of it. A plugin is
 * imported, set up and woven into the links once, at the start; so what is changed here is stored at
 * once and takes effect at the next start, as `restartNeeded` says.
 */
export function adminPluginRoutes(deps: OverviewDeps): readonly Route[] {
  const { registry, state } = deps
  const turns = createTurns()

  async function update(plugin: Plugin, sent: unknown, given: unknown): Promise<Reply | Rejection> {
    const checked = checkPart(changeOf(plugin), sent)
    if (isRefusal(checked)) return checked
    const { enabled } = checked.value
    const { feature } = plugin
    if (enabled !== undefined) {
      const others = await loadOthers(registry, state.next(), feature)
      const refused = refuseSwitch(plugin, enabled, { choice: state.choice, others })
      if (refused) return refused
    }
    // As it was given: the next start checks and opens it, as it does what is written by hand.
    const { settings } = given as { readonly settings?: Readonly<Record<string, Json>> }
    await state.change(feature, { enabled: state.choice.fixed ? undefined : enabled, settings })
    const [data] = await describePlugins(deps, [feature])
    return { body: { data } }
  }

  return [
    route({
      ...shared,
      method: 'GET',
      path,
      name: 'admin.plugins.list',
      summary: 'List all plugins, also those that are off',
      answer: z.strictObject({ data: z.array(pluginOverview) }),
      handle: async () => ({ body: { data: await describeAll(deps) } }),
    }),
    route({
      ...shared,
      method: 'PATCH',
      path: `${path}/:feature`,
      name: 'admin.plugins.update',
      summary: 'Switch a plugin and change its settings, from the next start',
      body: z.unknown(),
      describedBody: change,
      answer: z.strictObject({ data: pluginOverview }),
      problems: [404, 409],
      async handle({ params: { feature = '' }, body, sent }) {
        const plugin = await find(deps, feature)
        if (isRefusal(plugin)) {
          const checked = checkPart(change, sent)
          return isRefusal(checked) ? checked : plugin
        }
        // One at a time, or two changes could each leave out what the other needs.
        const endTurn = await turns.take()
        try {
          return await update(plugin, sent, body)
        } finally {
          endTurn()
        }
      },
    }),
  ]
}

async function find(
  { registry, outside }: OverviewDeps,
  feature: string,
): Promise<Plugin | Refusal> {
  const broken = outside.broken.find(({ name }) => name === feature)
  if (broken) return refuse('plugin_broken', `It is left out: ${broken.problem}.`, 409)
  const read = Object.hasOwn(registry, feature) ? registry[feature] : undefined
  if (!read) return refuse('not_found', 'There is no plugin of that name.', 404)
  const { plugin, mistakes } = await loadPlugin(feature, read)
  return plugin ?? refuse('plugin_broken', mistakes.join(' '), 409)
}

/** What a change of this very plugin may say. */
function changeOf({ settings = {} }: Plugin) {
  const values = Object.entries(settings).map(([name, setting]) => {
    const schema =
      setting.env === undefined
        ? setting.schema.nullable()
        : z.custom(() => false, `Comes from the environment: set ${setting.env} and restart.`)
    return [name, schema.optional()] as const
  })
  return change.extend({ settings: z.strictObject(Object.fromEntries(values)).optional() })
}
