import type { LinkHooks, NamedStep, ViewStep } from '../../links/hooks.ts'
import type { RenewField } from '../../links/write/renew-field.ts'
import type { Ask, Refusal } from '../../plugin/outcomes.ts'
import { overloaded } from '../../plugin/outcomes.ts'
import type { CountedVisit, Guard, Page, Plugin, Routed, Target } from '../../plugin.ts'
import type { Check } from '../contain/check-by-schema.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import { type Containment, runAtOnce } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import type { LinkFields } from './link-fields.ts'
import { unavailable } from './writing-hooks.ts'

const isVisit = true

/** Runs the hooks of plugins when a link is followed. */
export function createFollowHooks(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
  renewField: RenewField,
): Pick<
  LinkHooks,
  | 'compile'
  | 'guardsFor'
  | 'targetsFor'
  | 'guard'
  | 'claim'
  | 'target'
  | 'findView'
  | 'view'
  | 'unknown'
  | 'counts'
  | 'seesOwner'
  | 'canGuard'
> {
  const guarding = running.filter(({ plugin }) => plugin.guard)
  const routing = running.filter(({ plugin }) => plugin.target)
  const leavingOut = running.filter(({ plugin }) => plugin.unstable?.counts)
  const views = viewsBySuffix(running)

  return {
    async compile(link, stored) {
      const details = { isVisit, link: link.id, check: checks.step }
      const guards: NamedStep<Guard>[] = []
      const targets: NamedStep<Target>[] = []
      const failed: string[] = []
      const open = (plugin: Plugin) =>
        fields.open(plugin, stored, (field, form) => renewField(link, field, form))
      for (const { plugin, context } of guarding) {
        const ask = () => plugin.guard?.(open(plugin), context, link)
        const asked = contain.run(plugin.feature, 'compile', ask, details)
        const answer = asked instanceof Promise ? await asked : asked
        if (!answer.ok) failed.push(plugin.feature)
        else if (answer.value) guards.push({ feature: plugin.feature, run: answer.value })
      }
      for (const { plugin, context } of routing) {
        const ask = () => plugin.target?.(open(plugin), context, link)
        const asked = contain.run(plugin.feature, 'compile', ask, details)
        const answer = asked instanceof Promise ? await asked : asked
        if (answer.ok && answer.value) targets.push({ feature: plugin.feature, run: answer.value })
      }
      return { guards, targets, failed }
    },

    guardsFor: stored =>
      guarding
        .filter(({ plugin: { feature, unstable, fields } }) =>
          fields || unstable?.guards === 'marked' ? stored[feature] : true,
        )
        .map(({ plugin }) => plugin.feature),

    targetsFor: stored =>
      routing
        .filter(({ plugin: { feature, fields } }) => !fields || stored[feature])
        .map(({ plugin }) => plugin.feature),

    async guard({ feature, run }, visit) {
      const details = { link: visit.link.id, isVisit, check: checks.guard }
      const answer = await contain.run(feature, 'guard', () => run(visit), details)
      return answer.ok ? answer.value : shutBy(answer)
    },

    async claim({ feature, run }, link) {
      const details = { part: 'guard.claim', link, isVisit, check: checks.claim }
      const answer = await contain.run(feature, 'guard', run, details)
      return answer.ok ? answer.value : shutBy(answer)
    },

    async target({ feature, run }, visit, url) {
      let isAstray = false
      const check: Check = answer => {
        if (isShown(answer)) return checks.shownByTarget(answer)
        const wrong = checks.target(answer)
        if (wrong !== undefined) return wrong
        const next = routedBy(answer as string | Routed).url
        const unsafe = next === url ? undefined : checks.address(next)
        isAstray = unsafe !== undefined
        return unsafe
      }
      const details = { link: visit.link.id, isVisit, check }
      const answer = await contain.run(feature, 'target', () => run(visit, url), details)
      if (isAstray) return undefined
      if (!answer.ok) return { url }
      return isShown(answer.value) ? answer.value : routedBy(answer.value)
    },

    findView: suffix => views.get(suffix),

    async view({ feature, run }, visit, url) {
      const details = { link: visit.link.id, isVisit, check: checks.view }
      const answer = await contain.run(feature, 'view', () => run(visit, url), details)
      return answer.ok ? answer.value : undefined
    },

    unknown: running
      .filter(({ plugin }) => plugin.unstable?.unknown)
      .map(({ plugin: { feature, unstable }, context }) => ({
        feature,
        async run(visit) {
          const details = { isVisit, check: checks.unknown }
          const ask = () => unstable?.unknown?.(visit, context)
          const answer = await contain.run(feature, 'unknown', ask, details)
          return answer.ok ? answer.value : undefined
        },
      })),

    counts:
      leavingOut.length === 0
        ? undefined
        : visit => leavingOut.every(it => isCountedBy(it, visit, contain)),

    seesOwner: leavingOut.some(({ plugin }) => plugin.unstable?.seesOwner),

    canGuard: feature => guarding.some(({ plugin }) => plugin.feature === feature),
  }
}

function isCountedBy(
  { plugin: { feature, unstable }, context }: RunningPlugin,
  visit: CountedVisit,
  contain: Containment,
): boolean {
  const ask = () => unstable?.counts?.(visit, context)
  const details = { link: visit.link.id, isVisit, check: checks.claimed }
  const answer = runAtOnce(contain, feature, 'counts', ask, details)
  return !answer.ok || answer.value === true
}

function routedBy(answer: string | Routed): Routed {
  return typeof answer === 'object' ? answer : { url: answer }
}

function isShown(answer: unknown): answer is Page | Ask {
  return typeof answer === 'object' && answer !== null && 'kind' in answer
}

/** The link stays closed. The cause decides when the visitor is told to come back. */
function shutBy({ isOverloaded }: { readonly isOverloaded?: true }): Refusal {
  return isOverloaded ? overloaded : unavailable()
}

function viewsBySuffix(running: readonly RunningPlugin[]): ReadonlyMap<string, ViewStep> {
  return new Map(
    running.flatMap(({ plugin: { feature, views = {}, unstable = {} }, context }) => [
      ...Object.entries(views).map(([suffix, show]): [string, ViewStep] => [
        suffix,
        { feature, isOpen: false, run: (visit, url) => show(visit, url, context) },
      ]),
      ...Object.entries(unstable.openViews ?? {}).map(([suffix, show]): [string, ViewStep] => [
        suffix,
        { feature, isOpen: true, run: visit => show(visit, context) },
      ]),
    ]),
  )
}
