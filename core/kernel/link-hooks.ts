import type { LinkHooks } from '../links/hooks.ts'
import { publicId } from '../storage/public-id.ts'
import type { Containment } from './contain.ts'
import { createFollowingHooks } from './following-hooks.ts'
import type { LinkFields } from './link-fields.ts'
import type { RunningPlugin } from './start-plugins.ts'
import { type CheckFeature, createWritingHooks } from './writing-hooks.ts'

/** The answers of the running plugins to what links ask of them. */
export function createLinkHooks(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
  check: CheckFeature,
): LinkHooks {
  const toldOfVisits = running.filter(({ plugin }) => plugin.on?.visited)

  return {
    ...createWritingHooks(running, fields, contain, check),
    ...createFollowingHooks(running, fields, contain),

    announce(event, link) {
      for (const { plugin, context } of running) {
        const listener = plugin.on?.[event]
        if (listener) void contain.run(plugin.feature, 'on', () => listener(link, context))
      }
    },

    announceVisits(visits) {
      if (toldOfVisits.length === 0) return
      const news = visits.map(({ linkId, visits }) => ({ id: publicId('lnk', linkId), visits }))
      for (const { plugin, context } of toldOfVisits) {
        void contain.run(plugin.feature, 'on', () => plugin.on?.visited?.(news, context))
      }
    },
  }
}
