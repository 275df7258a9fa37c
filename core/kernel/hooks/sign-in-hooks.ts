import type { NamedFirstStep } from '../../accounts/access/first-steps.ts'
import type { Failed, NamedStep, StepHooks } from '../../accounts/access/second-steps.ts'
import type {
  Begun,
  Identified,
  Later,
  Left,
  PasswordRule,
  Refusal,
  Returned,
  Sent,
  SigningIn,
} from '../../plugin.ts'
import type { Check } from '../contain/check-by-schema.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import {
  type CallDetails,
  type Containment,
  type Hook,
  runAtOnce,
  unlessFailed,
} from '../contain/contain.ts'
import { translatorOf } from '../load/plugin-texts.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'

/** A provider of a plugin, whose failures are contained. */
export interface NamedProvider {
  readonly feature: string
  readonly name: string
  label(acceptLanguage: string): string
  isReady(): boolean
  begin(asked: Begun): Promise<Sent | Refusal | Failed>
  finish(came: Returned): Promise<Identified | Refusal | Failed>
  /** Absent if one does not sign out there. */
  leave?(left: Left): Promise<{ readonly redirect: string } | undefined | Failed>
}

/** The providers of running plugins, in running order. */
export function createProviderHooks(
  running: readonly RunningPlugin[],
  contain: Containment,
): readonly NamedProvider[] {
  return running.flatMap(({ plugin, context }) =>
    Object.entries(plugin.unstable?.providers ?? {}).map(([name, provider]): NamedProvider => {
      const { feature } = plugin
      const ask = createAsk(contain, feature)
      // Whoever comes back with nonsense must not make it rest for others.
      const about = (what: string, check: Check) => ({
        ...{ part: `providers ${name} ${what}`, isVisit: true, check },
      })
      return {
        ...{ feature, name, label: labelOf(plugin, provider) },
        isReady() {
          const isReady = () => (provider.isReady ? provider.isReady(context) : true)
          const details = about('isReady', checks.claimed)
          const answer = runAtOnce(contain, feature, 'begin', isReady, details)
          return answer.ok && answer.value
        },
        begin: asked =>
          ask('begin', about('begin', checks.sent), () => provider.begin(asked, context)),
        finish: came =>
          ask('finish', about('finish', checks.identified), () => provider.finish(came, context)),
        ...(provider.leave && {
          leave: (left: Left) =>
            ask('finish', about('leave', checks.left), () => provider.leave?.(left, context)),
        }),
      }
    }),
  )
}

/** Who may sign in by password: what the strictest of running plugins says, and nobody where one fails to say. */
export function createPasswordRule(
  running: readonly RunningPlugin[],
  contain: Containment,
  isOn: (feature: string) => boolean,
): () => PasswordRule {
  const asked = running.flatMap(({ plugin, context }) => {
    const { feature, unstable: { passwords } = {} } = plugin
    if (!passwords) return []
    const about = { part: 'passwords', isVisit: true, check: checks.passwords }
    return (): PasswordRule => {
      if (!isOn(feature)) return 'everybody'
      const answer = runAtOnce(contain, feature, 'begin', () => passwords(context), about)
      return answer.ok ? answer.value : 'nobody'
    }
  })
  return () => {
    const rules = asked.map(ask => ask())
    if (rules.includes('nobody')) return 'nobody'
    return rules.includes('admins') ? 'admins' : 'everybody'
  }
}

/** The second steps of running plugins. */
export function createStepHooks(
  running: readonly RunningPlugin[],
  contain: Containment,
): StepHooks {
  const steps = new Map(
    running.map(it => [it.plugin.feature as string, stepsIn(it, contain)] as const),
  )
  return {
    stepsOf: feature => steps.get(feature) ?? [],
    neededBy: account =>
      [...steps].filter(([, own]) => own.some(it => it.isNeeded(account))).map(([name]) => name),
  }
}

/** The steps of running plugins that sign people in by themselves. */
export function createFirstStepHooks(
  running: readonly RunningPlugin[],
  contain: Containment,
): readonly NamedFirstStep[] {
  return running.flatMap(({ plugin, context }) =>
    Object.entries(plugin.unstable?.steps ?? {}).flatMap(([name, own]) => {
      const { first, method } = own
      if (!first) return []
      const { feature } = plugin
      const ask = createAsk(contain, feature)
      // Nobody has said who they are: whoever answers nonsense must not make it rest for others.
      const about = (what: string, check: Check) => ({
        ...{ part: `steps ${name} first ${what}`, isVisit: true, check },
      })
      const step: NamedFirstStep = {
        ...{ feature, name, method, label: labelOf(plugin, own), button: labelOf(plugin, first) },
        isReady() {
          const isReady = () => first.isReady?.(context) ?? true
          const details = about('isReady', checks.claimed)
          const answer = runAtOnce(contain, feature, 'ask', isReady, details)
          return answer.ok && answer.value
        },
        ask: () => ask('ask', about('ask', checks.question), () => first.ask(context)),
        check: answer =>
          ask('check', about('check', checks.proven), () => first.check(answer, context)),
      }
      return [step]
    }),
  )
}

function stepsIn({ plugin, context }: RunningPlugin, contain: Containment): readonly NamedStep[] {
  const { feature } = plugin
  const ask = createAsk(contain, feature)
  return Object.entries(plugin.unstable?.steps ?? {}).map(([name, step]) => {
    const about = (what: string, { accountId: account }: SigningIn, check: Check) => ({
      ...{ part: `steps ${name} ${what}`, account, check },
    })
    return {
      ...{ feature, name, method: step.method, oneOf: step.oneOf, label: labelOf(plugin, step) },
      isNeeded(account) {
        if (!step.isNeeded) return false
        const isNeeded = () => step.isNeeded?.(structuredClone(account), context) ?? false
        const details = about('isNeeded', account, checks.claimed)
        const answer = runAtOnce(contain, feature, 'ask', isNeeded, details)
        // Who would get past a step because its plugin failed?
        return !answer.ok || answer.value
      },
      ask: account =>
        ask('ask', about('ask', account, checks.question), () => step.ask(account, context)),
      check: (account, answer) =>
        ask('check', about('check', account, checks.refusal), () =>
          step.check(account, answer, context),
        ),
    }
  })
}

function labelOf(plugin: RunningPlugin['plugin'], { label }: { readonly label: string }) {
  return (acceptLanguage: string) => translatorOf(plugin, acceptLanguage)(label)
}

/** Asks a plugin. Throws what is not its fault. */
function createAsk(contain: Containment, feature: string) {
  return async <T>(hook: Hook, details: CallDetails, work: () => Later<T>): Promise<T | Failed> =>
    unlessFailed(await contain.run(feature, hook, work, details), 'failed')
}
