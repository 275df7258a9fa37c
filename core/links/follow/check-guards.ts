import type { Claim, Outcome } from '../../plugin/outcomes.ts'
import type { Visit } from '../../plugin.ts'
import type { LinkHooks, NamedStep } from '../hooks.ts'
import { opener } from './before-claims.ts'
import type { CompiledLink } from './compile.ts'
import type { PassKeeper } from './pass.ts'

/** What stops a visitor, and the pass that the next page must carry. */
export interface Stopped {
  readonly outcome: Outcome
  readonly pass: string
}

/** What a visitor filled in, by input. */
export type Answers = Readonly<Record<string, string>>

/** The name of the hidden field that carries the pass. */
const passField = 'pass'

/** All guards let the visitor through; `claims` is what some of them left for last. */
export interface Passed {
  readonly claims: readonly NamedStep<Claim['claim']>[]
  /** Whether the visitor went on from the page that robots get before anything is claimed, or answered what claims. */
  readonly isOpened: boolean
  /** The pass for a page that is shown after the guards. */
  passFor(asker: string): string
}

/**
 * Ask the guards of a link in turn. Each guard sees only the answers to its own question, and is not asked
 * again once the pass says it was satisfied. Answers without a pass, such as those of a script, are for the
 * first guard that asks.
 */
export async function checkGuards(
  link: CompiledLink,
  answers: Answers,
  deps: {
    readonly hooks: LinkHooks
    readonly passes: PassKeeper
    openVisit(answers: Answers): Visit
  },
): Promise<Stopped | Passed> {
  const passFor = { linkId: link.tracked.view.id, version: link.version }
  const { [passField]: carried, ...given } = answers
  const pass = deps.passes.read(carried, passFor)
  const satisfied = [...(pass?.satisfied ?? [])]
  const claims: NamedStep<Claim['claim']>[] = []
  let isOpened = false
  let unclaimed = !pass && Object.keys(given).length > 0

  for (const guard of link.steps.guards) {
    if (satisfied.includes(guard.feature)) continue
    const check = (own: Answers) => deps.hooks.guard(guard, deps.openVisit(own))
    let answered = pass?.asked === guard.feature
    let outcome = await check(answered ? given : {})
    if (outcome?.kind === 'ask' && unclaimed) {
      unclaimed = false
      answered = true
      outcome = await check(given)
    }
    if (outcome?.kind === 'claim') {
      claims.push({ feature: guard.feature, run: outcome.claim })
      isOpened ||= answered
    } else if (outcome) {
      return { outcome, pass: deps.passes.sign({ asked: guard.feature, satisfied }, passFor) }
    } else if (answered) {
      // One that claims is asked again: skipped, it would let the visitor through without its claim.
      satisfied.push(guard.feature)
    }
  }
  return {
    claims,
    isOpened: isOpened || pass?.asked === opener || (unclaimed && given.continue !== undefined),
    passFor: asked => deps.passes.sign({ asked, satisfied }, passFor),
  }
}
