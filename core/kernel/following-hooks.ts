import type { LinkHooks, NamedStep } from '../links/hooks.ts'
import type { Guard, Target } from '../plugin.ts'
import type { Containment } from './contain.ts'
import type { LinkFields } from './link-fields.ts'
import type { RunningPlugin } from './start-plugins.ts'
import { unavailable } from './writing-hooks.ts'

/** What plugins have to say when a link is followed. */
export function createFollowingHooks(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
): Pick<LinkHooks, 'compile' | 'guard' | 'claim' | 'target'> {
  const guarding = running.filter(({ plugin }) => plugin.guard)
  const routing = running.filter(({ plugin }) => plugin.target)

  return {
    async compile(link, stored) {
      const guards: NamedStep<Guard>[] = []
      const targets: NamedStep<Target>[] = []
      const failed: string[] = []
      for (const { plugin, context } of guarding) {
        const asked = await contain.run(plugin.feature, 'compile', () =>
          plugin.guard?.(fields.open(plugin, stored), context, link),
        )
        if (!asked.ok) failed.push(plugin.feature)
        else if (asked.value) guards.push({ feature: plugin.feature, run: asked.value })
      }
      for (const { plugin, context } of routing) {
        const asked = await contain.run(plugin.feature, 'compile', () =>
          plugin.target?.(fields.open(plugin, stored), context, link),
        )
        if (asked.ok && asked.value) targets.push({ feature: plugin.feature, run: asked.value })
      }
      return { guards, targets, failed }
    },

    async guard({ feature, run }, visit) {
      const answer = await contain.run(feature, 'guard', () => run(visit))
      return answer.ok ? answer.value : unavailable()
    },

    async claim({ feature, run }) {
      const answer = await contain.run(feature, 'guard', run)
      return answer.ok ? answer.value : unavailable()
    },

    async target({ feature, run }, visit, url) {
      const answer = await contain.run(feature, 'target', () => run(visit, url))
      return answer.ok ? answer.value : url
    },
  }
}
