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
import { checks } from '../contain/checks-of-hooks.ts'
import { type Contained, type Containment, unlessFailed } from '../contain/contain.ts'
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
      // Whoever comes back with nonsense must not make it rest for others.
      const about = (what: string) => ({ part: `providers ${name} ${what}`, isVisit: true })
      return {
        ...{ feature, name, label: labelOf(plugin, provider) },
        isReady() {
          const ask = () => {
            const answer = provider.isReady ? provider.isReady(context) : true
            const wrong = checks.claimed(answer)
            if (wrong !== undefined) throw new Error(wrong)
            return answer
          }
          const answer = contain.run(feature, 'begin', ask, about('isReady'))
          return !(answer instanceof Promise) && answer.ok && answer.value
        },
        begin(asked) {
          const details = { ...about('begin'), check: checks.sent }
          return unlessPlugin(
            contain.run(feature, 'begin', () => provider.begin(asked, context), details),
          )
        },
        finish(came) {
          const details = { ...about('finish'), check: checks.identified }
          return unlessPlugin(
            contain.run(feature, 'finish', () => provider.finish(came, context), details),
          )
        },
        ...(provider.leave && {
          leave(left: Left) {
            const details = { ...about('leave'), check: checks.left }
            return unlessPlugin(
              contain.run(feature, 'finish', () => provider.leave?.(left, context), details),
            )
          },
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
    const about = { part: 'passwords', isVisit: true }
    return (): PasswordRule => {
      if (!isOn(feature)) return 'everybody'
      const answer = contain.run(feature, 'begin', () => said(passwords(context)), about)
      return !(answer instanceof Promise) && answer.ok ? answer.value : 'nobody'
    }
  })
  return () => {
    const rules = asked.map(ask => ask())
    if (rules.includes('nobody')) return 'nobody'
    return rules.includes('admins') ? 'admins' : 'everybody'
  }
}

function said(rule: PasswordRule): PasswordRule {
  const wrong = checks.passwords(rule)
  if (wrong !== undefined) throw new Error(wrong)
  return rule
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
      // Nobody has said who they are: whoever answers nonsense must not make it rest for others.
      const about = (what: string) => ({ part: `steps ${name} first ${what}`, isVisit: true })
      const step: NamedFirstStep = {
        ...{ feature, name, method, label: labelOf(plugin, own), button: labelOf(plugin, first) },
        isReady() {
          const ask = () => first.isReady?.(context) ?? true
          const details = { ...about('isReady'), check: checks.claimed }
          const answer = contain.run(feature, 'ask', ask, details)
          return !(answer instanceof Promise) && answer.ok && answer.value
        },
        ask() {
          const details = { ...about('ask'), check: checks.question }
          return unlessPlugin(contain.run(feature, 'ask', () => first.ask(context), details))
        },
        check(answer) {
          const details = { ...about('check'), check: checks.proven }
          return unlessPlugin(
            contain.run(feature, 'check', () => first.check(answer, context), details),
          )
        },
      }
      return [step]
    }),
  )
}

function stepsIn({ plugin, context }: RunningPlugin, contain: Containment): readonly NamedStep[] {
  const { feature } = plugin
  return Object.entries(plugin.unstable?.steps ?? {}).map(([name, step]) => {
    const about = (what: string, { accountId: account }: SigningIn) => ({
      part: `steps ${name} ${what}`,
      account,
    })
    return {
      ...{ feature, name, method: step.method, oneOf: step.oneOf, label: labelOf(plugin, step) },
      isNeeded(account) {
        if (!step.isNeeded) return false
        const details = { ...about('isNeeded', account), check: checks.claimed }
        const answer = contain.run(
          feature,
          'ask',
          () => step.isNeeded?.(account, context) ?? false,
          details,
        )
        // Who would get past a step because its plugin failed?
        return answer instanceof Promise || !answer.ok || answer.value
      },
      ask(account) {
        const details = { ...about('ask', account), check: checks.question }
        return unlessPlugin(contain.run(feature, 'ask', () => step.ask(account, context), details))
      },
      check(account, answer) {
        const details = { ...about('check', account), check: checks.refusal }
        return unlessPlugin(
          contain.run(feature, 'check', () => step.check(account, answer, context), details),
        )
      },
    }
  })
}

function labelOf(plugin: RunningPlugin['plugin'], { label }: { readonly label: string }) {
  return (acceptLanguage: string) => translatorOf(plugin, acceptLanguage)(label)
}

/** Throws what is not the plugin's fault. */
async function unlessPlugin<T>(answering: Later<Contained<T>>): Promise<T | Failed> {
  const answer = await answering
  if (answer.ok) return answer.value
  unlessFailed(answer)
  return 'failed'
}
