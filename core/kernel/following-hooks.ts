import { overloaded } from '../bounded-queue.ts'
import type { LinkHooks, NamedStep, ShowLink } from '../links/hooks.ts'
import type { Refusal } from '../outcomes.ts'
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
): Pick<LinkHooks, 'compile' | 'guard' | 'claim' | 'target' | 'findView' | 'view' | 'canGuard'> {
  const guarding = running.filter(({ plugin }) => plugin.guard)
  const routing = running.filter(({ plugin }) => plugin.target)
  const views = viewsBySuffix(running)

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
      return answer.ok ? answer.value : shutBy(answer)
    },

    async claim({ feature, run }) {
      const answer = await contain.run(feature, 'guard', run)
      return answer.ok ? answer.value : shutBy(answer)
    },

    async target({ feature, run }, visit, url) {
      const answer = await contain.run(feature, 'target', () => run(visit, url))
      if (!answer.ok) return { url }
      return typeof answer.value === 'object' ? answer.value : { url: answer.value }
    },

    findView: suffix => views.get(suffix),

    async view({ feature, run }, visit, url) {
      const answer = await contain.run(feature, 'view', () => run(visit, url))
      return answer.ok ? answer.value : undefined
    },

    canGuard: feature => guarding.some(({ plugin }) => plugin.feature === feature),
  }
}

/** The link stays shut; why tells the visitor when to come back. */
function shutBy({ isOverloaded }: { readonly isOverloaded?: true }): Refusal {
  return isOverloaded ? overloaded : unavailable()
}

function viewsBySuffix(
  running: readonly RunningPlugin[],
): ReadonlyMap<string, NamedStep<ShowLink>> {
  return new Map(
    running.flatMap(({ plugin: { feature, views = {} }, context }) =>
      Object.entries(views).map(([suffix, show]) => [
        suffix,
        { feature, run: (visit, url) => show(visit, url, context) },
      ]),
    ),
  )
}
