import type { SignedIn } from '../accounts/account.ts'
import type { LinkDraft, LinkHooks, NamedStep } from '../links/hooks.ts'
import { isRefusal, type Outcome, type Refusal, refuse } from '../outcomes.ts'
import type { Draft, Guard, Target, Visit } from '../plugin.ts'
import { publicId } from '../storage/public-id.ts'
import type { Containment } from './contain.ts'
import type { LinkFields } from './link-fields.ts'
import type { RunningPlugin } from './start-plugins.ts'

/** Whether an account's plan, and the operator, let it use a feature. */
type CheckFeature = (plan: string, feature: string) => Refusal | undefined

/** The answers of the running plugins to what links ask of them. */
export function createLinkHooks(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
  check: CheckFeature,
): LinkHooks {
  const preparing = running.filter(({ plugin }) => plugin.prepare)
  const validating = running.filter(({ plugin }) => plugin.validate)
  const guarding = running.filter(({ plugin }) => plugin.guard)
  const visited = running.filter(({ plugin }) => plugin.on?.visited)
  const routing = running.filter(({ plugin }) => plugin.target)

  const draftFor = ({ plugin }: RunningPlugin, draft: LinkDraft): Draft =>
    ({ ...draft, fields: fields.givenTo(plugin, draft.kind, draft.given) }) as Draft

  /** A cleared field is always fine: a downgrade stops new passwords, and lets old ones go. */
  function checkPlan(draft: LinkDraft, caller: SignedIn): Refusal | undefined {
    for (const { plugin } of running) {
      const given = Object.values(fields.givenTo(plugin, draft.kind, draft.given))
      if (given.every(value => value === null)) continue
      const refusal = check(caller.account.plan, plugin.feature)
      if (refusal) return refusal
    }
    return undefined
  }

  async function prepareAll(draft: LinkDraft): Promise<LinkDraft | Refusal> {
    let prepared = draft
    for (const member of preparing) {
      const { plugin, context } = member
      const answer = await contain.run(plugin.feature, 'prepare', () =>
        plugin.prepare?.(draftFor(member, prepared), context),
      )
      if (!answer.ok) return unavailable()
      if (isRefusal(answer.value)) return answer.value
      prepared = { ...prepared, ...answer.value }
    }
    return prepared
  }

  async function validateAll(draft: LinkDraft): Promise<Refusal | undefined> {
    for (const member of validating) {
      const { plugin, context } = member
      const answer = await contain.run(plugin.feature, 'validate', () =>
        plugin.validate?.(draftFor(member, draft), context),
      )
      if (!answer.ok) return unavailable()
      if (answer.value) return answer.value
    }
    return undefined
  }

  return {
    async prepare(draft, caller) {
      const barred = checkPlan(draft, caller)
      if (barred) return barred
      const prepared = await prepareAll(draft)
      if (isRefusal(prepared)) return prepared
      return (await validateAll(prepared)) ?? prepared
    },

    store: (before, given, kind) => fields.store(before, given, kind),

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

    async guard({ feature, run }, visit: Visit): Promise<Outcome | undefined> {
      const answer = await contain.run(feature, 'guard', () => run(visit))
      return answer.ok ? answer.value : unavailable()
    },

    async target({ feature, run }, visit: Visit, url: string): Promise<string> {
      const answer = await contain.run(feature, 'target', () => run(visit, url))
      return answer.ok ? answer.value : url
    },

    announceVisits(visits) {
      if (visited.length === 0) return
      const news = visits.map(({ linkId, visits }) => ({ id: publicId('lnk', linkId), visits }))
      for (const { plugin, context } of visited) {
        void contain.run(plugin.feature, 'on', () => plugin.on?.visited?.(news, context))
      }
    },

    announce(event, link) {
      for (const { plugin, context } of running) {
        const listener = plugin.on?.[event]
        if (listener) void contain.run(plugin.feature, 'on', () => listener(link, context))
      }
    },
  }
}

function unavailable(): Refusal {
  return refuse('unavailable', 'Something this depends on does not answer. Try again later.', 503)
}
