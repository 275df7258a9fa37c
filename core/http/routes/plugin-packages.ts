import { z } from 'zod'
import type { SignedIn } from '../../accounts/account.ts'
import { isRefusal, refuse } from '../../outcomes.ts'
import {
  type Installed,
  type PluginPackages,
  packageName,
  packageSpec,
} from '../../outside/packages.ts'
import type { Log } from '../../plugin.ts'
import { type Route, route } from '../route.ts'

const packageSchema = z.strictObject({
  name: z.string().meta({ description: 'Of the package, or of a single file.' }),
  version: z.string().nullable(),
  feature: z.string().nullable().meta({ description: 'What it brings; null until it has run.' }),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'Why it would be left out, as far as is known.' }),
  restartNeeded: z.boolean().meta({ description: 'It is not what the server started with.' }),
})

const path = '/admin/plugins/packages'
const shared = { group: 'Admin', path, status: 200 } as const
/** What runs code on the machine is for admins who may do everything. */
const changing = { ...shared, scope: '*', answerMs: 120_000 } as const
const answer = z.strictObject({ data: packageSchema })

/** What is installed of plugins that did not come with Linnet; changed only where the operator allows it. */
export function pluginPackageRoutes({
  packages,
  log,
}: {
  readonly packages: PluginPackages | undefined
  readonly log: Log
}): readonly Route[] {
  return [
    route({
      ...shared,
      scope: 'admin',
      method: 'GET',
      name: 'admin.pluginPackages.list',
      summary: 'List the plugins that were installed',
      answer: z.strictObject({ data: z.array(packageSchema) }),
      handle: () => ({ body: { data: packages?.list() ?? [] } }),
    }),
    route({
      ...changing,
      method: 'POST',
      name: 'admin.pluginPackages.add',
      summary:
        'Install a plugin from the npm registry, or another version of it, from the next start',
      body: z.strictObject({ package: packageSpec }),
      answer,
      problems: [409],
      async handle({ caller, body: { package: spec } }) {
        const changeable = mayChange(packages, caller)
        if (isRefusal(changeable)) return changeable
        const added = await changeable.add(spec)
        if (isRefusal(added)) return added
        tell('installed', added, caller)
        return { body: { data: added } }
      },
    }),
    route({
      ...changing,
      method: 'DELETE',
      name: 'admin.pluginPackages.remove',
      summary: 'Remove an installed plugin, from the next start',
      body: z.strictObject({ package: packageName }),
      status: 204,
      problems: [404, 409],
      async handle({ caller, body: { package: name } }) {
        const changeable = mayChange(packages, caller)
        if (isRefusal(changeable)) return changeable
        const found = changeable.list().find(it => it.name === name)
        if (!found) return refuse('not_found', 'No plugin of that name is installed.', 404)
        const refused = await changeable.remove(name)
        if (refused) return refused
        tell('removed', found, caller)
        return {}
      },
    }),
  ]

  function tell(what: string, { name, version }: Installed, { account }: SignedIn): void {
    log.warn(`The plugin ${name} was ${what} over the API`, {
      name,
      version,
      account: account.email,
    })
  }
}

function mayChange(packages: PluginPackages | undefined, caller: SignedIn) {
  if (!caller.isAdmin) return notAdmin
  return packages?.isChangeable ? packages : isOff
}

const notAdmin = refuse('insufficient_scope', 'Only an admin may do this.', 403, undefined, {
  requiredScope: 'admin',
})
const isOff = refuse(
  'plugin_install_off',
  'Plugins are code, so they are not installed over the API unless LINNET_PLUGIN_INSTALL is 1. ' +
    'On the machine itself: linnet plugins add',
  409,
)
