import { type Claim, isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { openVisit, type RawVisit } from '../../visits/facts/open-visit.ts'
import type { NamedStep } from '../hooks.ts'
import { opener } from './before-claims.ts'
import type { CompiledLink } from './compile.ts'
import type { Ending } from './ending.ts'
import type { FollowDeps } from './follow-deps.ts'

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
export async function checkGuards({
  deps: { hooks, passes, placeOf },
  link,
  raw,
  answers,
}: {
  readonly deps: FollowDeps
  readonly link: CompiledLink
  readonly raw: RawVisit
  readonly answers: Answers | Refusal
}): Promise<Ending | Passed> {
  const version = { linkId: link.tracked.view.id, version: link.version }
  const { [passField]: carried, ...given } = isRefusal(answers) ? {} : answers
  const pass = passes.read(carried, version)
  const satisfied = [...(pass?.satisfied ?? [])]
  const passFor = (asked: string) => passes.sign({ asked, satisfied }, version)
  const claims: NamedStep<Claim['claim']>[] = []
  let isOpened = false
  let unclaimed = !pass && Object.keys(given).length > 0

  for (const guard of link.steps.guards) {
    if (satisfied.includes(guard.feature)) continue
    const check = (own: Answers) => hooks.guard(guard, openVisit(raw, placeOf, own))
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
      return outcome.kind === 'ask' ? { ...outcome, pass: passFor(guard.feature) } : outcome
    } else if (answered) {
      // One that claims is asked again: skipped, it would let the visitor through without its claim.
      satisfied.push(guard.feature)
    }
  }
  return {
    claims,
    isOpened: isOpened || pass?.asked === opener || (unclaimed && given.continue !== undefined),
    passFor,
  }
}
