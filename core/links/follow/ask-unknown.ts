import type { IncomingMessage } from 'node:http'
import { openUnknown } from '../../visits/facts/open-visit.ts'
import type { AnswerUnknown, UnknownOutcome } from '../hooks.ts'
import type { FollowDeps } from './follow-deps.ts'
import { pathIn } from './read-path.ts'
import { rawVisit } from './record-visit.ts'

/** The first answer to a request for which there is no link, and the plugins that were not asked for it. */
export interface AnsweredUnknown {
  readonly outcome: UnknownOutcome
  readonly others: readonly AnswerUnknown[]
}

/**
 * Asks plugins in turn what a path without a link stands for. Where the owner of the host says where unknown codes lead,
 * no plugin leads them elsewhere: it can only find the link that was meant.
 */
export async function askUnknown(
  deps: FollowDeps,
  req: IncomingMessage,
  unasked: readonly AnswerUnknown[],
): Promise<AnsweredUnknown | undefined> {
  if (!methods.has(req.method ?? '')) return undefined
  const { name: host = '', accountId, notFoundUrl = null } = deps.host ?? {}
  const where = { host, accountId, path: pathIn(req) }
  const visit = openUnknown(rawVisit(deps, req, undefined), where, deps.placeOf)
  for (const [index, ask] of unasked.entries()) {
    const outcome = await ask(visit)
    const others = unasked.slice(index + 1)
    if (outcome?.kind === 'follow') {
      const { otherwise } = outcome
      return { outcome, others: otherwise ? [async () => otherwise, ...others] : others }
    }
    if (outcome && notFoundUrl === null) return { outcome, others }
  }
  return undefined
}

/** Those with which links are followed; the answers to a guard's question are posted. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
