import { z } from 'zod'
import type { ConfirmPassword } from '../../accounts/access/confirm-password.ts'
import { needsEverything } from '../../accounts/access/scopes.ts'
import type { Account } from '../../accounts/account.ts'
import { currentPassword } from '../../accounts/account-fields.ts'
import { loadPlugin } from '../../kernel/load/load-plugins.ts'
import { describePlugin, manifestEntry } from '../../kernel/load/manifest.ts'
import { nothingOutside } from '../../kernel/load/outside-plugins.ts'
import { loadOthers, refuseSwitch } from '../../kernel/load/refuse-switch.ts'
import {
  describeAll,
  describePlugins,
  type OverviewDeps,
  pluginOverview,
} from '../../kernel/run/plugin-overview.ts'
import { failureOfCheck } from '../../kernel/run/plugin-settings.ts'
import type { Switcher } from '../../kernel/run/switcher.ts'
import type { Json } from '../../plugin/fields.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Plugin } from '../../plugin.ts'
import type { Places } from '../../visits/facts/open-places.ts'
import { checkPart } from '../api/input/read-input.ts'
import { type Call, forAdmins, type Reply, type Route, route } from '../api/route/route.ts'
import type { Rejection } from '../send/problem.ts'

const path = '/admin/plugins'
const change = z.strictObject({
  enabled: z.boolean().optional(),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Values by name; null resets a setting to its default.' }),
  currentPassword: currentPassword.optional(),
})

/** A plugin may take ten seconds to set up, as long again to dispose if that fails, and others may come first. */
const answerMs = 60_000

const overviewsAnswer = z.strictObject({ data: z.array(pluginOverview) })
const anything = z.unknown()
const overviewAnswer = z.strictObject({ data: pluginOverview })
const manifestAnswer = z.object({
  data: z.array(manifestEntry),
  meta: z.object({
    mainHost: z.string().meta({ description: 'The host of links without a domain of their own.' }),
    targetSchemes: z
      .array(z.string())
      .meta({ description: 'Schemes that addresses of links may have besides http and https.' }),
  }),
})

/** All plugins, for admins: what each is and how it does, its switch and its settings. */
export function adminPluginRoutes(
  deps: OverviewDeps & {
    readonly switcher: Pick<Switcher, 'change'>
    readonly confirm: ConfirmPassword
  },
): readonly Route[] {
  const { switcher, state, confirm } = deps
  async function update(
    plugin: Plugin,
    { caller, sent, body: given, acceptLanguage }: Call,
  ): Promise<Reply | Rejection> {
    const checked = checkChange(plugin, given, sent)
    if (isRefusal(checked)) return checked
    const { enabled, currentPassword = null } = checked.value
    const isBarred = decidesWhoGetsIn(plugin) ? needsEverything(caller) : undefined
    if (isBarred) return isBarred
    if (decidesWhoGetsIn(plugin) && caller.credential === 'session') {
      const unproven = await confirm(caller, currentPassword)
      if (unproven) return unproven
    }
    const { feature } = plugin
    const choice = state.choice()
    async function refuse(): Promise<Refusal | undefined> {
      if (enabled === undefined) return undefined
      const others = await loadOthers(switcher.available().registry, state.on(), feature)
      return refuseSwitch(plugin, enabled, { choice, others })
    }
    // Stored as given: settings are checked and converted where they are read, like those written by hand.
    const { settings } = given as { readonly settings?: Readonly<Record<string, Json>> }
    const change = { enabled: choice.fixed ? undefined : enabled, settings }
    const refused = await switcher.change(feature, change, refuse)
    if (refused) return refused
    const [data] = await describePlugins(deps, [feature], acceptLanguage)
    return { body: { data } }
  }

  return [
    route(`GET ${path}`, {
      ...forAdmins,
      name: 'admin.plugins.list',
      summary: 'List all plugins, including those that are off',
      answer: overviewsAnswer,
      handle: async ({ acceptLanguage }) => ({
        body: { data: await describeAll(deps, acceptLanguage) },
      }),
    }),
    route(`PATCH ${path}/:feature`, {
      ...forAdmins,
      name: 'admin.plugins.update',
      summary:
        'Switch a plugin on or off and change its settings, with immediate effect. One that decides who gets in needs a session, with its ' +
        'current password, or the scope `*`',
      body: anything,
      describedBody: change,
      answer: overviewAnswer,
      problems: [404, 409],
      answerMs,
      async handle(call) {
        const { feature = '' } = call.params
        const plugin = await find(deps, feature)
        if (isRefusal(plugin)) {
          const checked = checkPart(change, call.body, call.sent)
          return isRefusal(checked) ? checked : plugin
        }
        return update(plugin, call)
      },
    }),
  ]
}

/**
 * Whether a plugin decides who signs in and how, carries the mail by which passwords are reset, or keeps from where people come: with its
 * settings an admin could become any other.
 */
function decidesWhoGetsIn({ unstable = {} }: Plugin): boolean {
  const { providers, steps, passwords, newAccounts, mail, clientAddresses } = unstable
  return [providers, steps, passwords, newAccounts, mail, clientAddresses].some(Boolean)
}

async function find({ switcher }: OverviewDeps, feature: string): Promise<Plugin | Refusal> {
  const { registry, outside = nothingOutside } = switcher.available()
  const broken = outside.broken.find(({ name }) => name === feature)
  if (broken) return refuse('plugin_broken', `It cannot run: ${broken.problem}.`, 409)
  const read = Object.hasOwn(registry, feature) ? registry[feature] : undefined
  if (!read) return refuse('not_found', 'There is no plugin with this name.', 404)
  const { plugin, mistakes } = await loadPlugin(feature, read)
  return plugin ?? refuse('plugin_broken', mistakes.join(' '), 409)
}

/** Checks a change by the schemas of the plugin's settings, which are its own code. */
function checkChange(plugin: Plugin, given: unknown, sent: unknown) {
  try {
    return checkPart(changeOf(plugin), given, sent)
  } catch (error) {
    const detail = `The check of a setting failed, ${failureOfCheck((error as Error).cause ?? error)}.`
    return refuse('plugin_broken', detail, 409)
  }
}

/** The schema for a change of this plugin. */
function changeOf({ settings = {} }: Plugin) {
  const values = Object.entries(settings).map(([name, setting]) => {
    const schema =
      setting.env === undefined
        ? setting.schema.nullable()
        : z.custom(() => false, `This comes from the environment: set ${setting.env} and restart.`)
    return [name, schema.optional()] as const
  })
  return change.extend({ settings: z.strictObject(Object.fromEntries(values)).optional() })
}

/** What active plugins bring, so that a screen can show it. */
export function pluginRoutes(deps: {
  readonly plugins: readonly Plugin[]
  isEnabled(account: Account, feature: string): boolean
  readonly places: Pick<Places, 'attribution'>
  readonly ownHost: string
  readonly targetSchemes: readonly string[]
}): readonly Route[] {
  return [
    route('GET /plugins', {
      name: 'plugins.list',
      group: 'Plugins',
      summary: 'List the features that plugins provide',
      scope: 'plugins:read',
      answer: manifestAnswer,
      handle: ({ caller, acceptLanguage }) => ({
        body: {
          data: deps.plugins.map(plugin =>
            describePlugin(plugin, deps.isEnabled(caller.account, plugin.feature), {
              acceptLanguage,
              isAdmin: caller.isAdmin,
              attributionOf: deps.places.attribution,
            }),
          ),
          meta: { mainHost: deps.ownHost, targetSchemes: [...deps.targetSchemes] },
        },
      }),
    }),
  ]
}
