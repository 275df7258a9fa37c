import { z } from 'zod'
import type { Account } from '../../accounts/account.ts'
import { describePlugin, manifestEntry } from '../../kernel/load/manifest.ts'
import type { Plugin } from '../../plugin.ts'
import type { Places } from '../../visits/facts/open-places.ts'
import { type Route, route } from '../api/route.ts'

/** What the plugins that are on bring, for a screen to show them. */
export function pluginRoutes(deps: {
  readonly plugins: readonly Plugin[]
  isEnabled(account: Account, feature: string): boolean
  readonly places: Pick<Places, 'attribution'>
}): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/plugins',
      name: 'plugins.list',
      group: 'Plugins',
      summary: 'List the features that plugins provide',
      scope: 'plugins:read',
      answer: z.object({ data: z.array(manifestEntry) }),
      status: 200,
      handle: ({ caller, acceptLanguage }) => ({
        body: {
          data: deps.plugins.map(plugin =>
            describePlugin(plugin, deps.isEnabled(caller.account, plugin.feature), {
              acceptLanguage,
              attributionOf: deps.places.attribution,
            }),
          ),
        },
      }),
    }),
  ]
}
