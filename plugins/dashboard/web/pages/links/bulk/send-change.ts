import { deleteLinks, maxAtOnce, type Outcome, updateLinks } from '../../../api/links/bulk-links.ts'
import { restoreLink } from '../../../api/links/deleted-links.ts'
import type { Link } from '../../../api/links/links.ts'
import { messageOf } from '../../../shared/notices/notify.ts'
import type { To } from './changes.ts'

/** The outcome for all links. */
export interface Result {
  readonly done: readonly Link[]
  readonly failed: number
  /** The reason of the first failure. */
  readonly reason: string | undefined
}

/**
 * Changes links a hundred at a time until all are done or somebody stops it, and reports after each hundred how
 * many have been tried. If the server stops answering, the result still tells what was done.
 */
export async function sendChange(
  links: readonly Link[],
  to: To,
  { signal, say }: { readonly signal: AbortSignal; say(tried: number): void },
): Promise<Result> {
  const done: Link[] = []
  const reasons: string[] = []
  for (let at = 0; at < links.length && !signal.aborted; at += maxAtOnce) {
    const some = links.slice(at, at + maxAtOnce)
    try {
      const outcomes = await sendAll(
        some.map(({ id }) => id),
        to,
      )
      done.push(...some.filter(({ id }) => outcomes.get(id)?.reason === null))
      for (const { reason } of outcomes.values()) if (reason !== null) reasons.push(reason)
    } catch (error) {
      reasons.push(...links.slice(at).map(() => messageOf(error)))
      break
    }
    say(at + some.length)
  }
  return { done, failed: reasons.length, reason: reasons[0] }
}

/** Undoes a change, in groups of links that need the same change. */
export async function takeBack(
  links: readonly Link[],
  back: (link: Link) => To | undefined,
  options: Parameters<typeof sendChange>[2],
): Promise<Result> {
  const groups = new Map<string, Link[]>()
  for (const link of links) {
    const change = back(link)
    if (!change) continue
    const text = JSON.stringify(change)
    groups.set(text, [...(groups.get(text) ?? []), link])
  }
  const results: Result[] = []
  for (const [change, some] of groups) {
    results.push(await sendChange(some, JSON.parse(change) as To, options))
  }
  return {
    done: results.flatMap(({ done }) => done),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    reason: results.find(({ reason }) => reason)?.reason,
  }
}

/**
 * Sends up to a hundred links. Those that the server had no time for are sent again as long as it finishes at
 * least one.
 */
async function sendAll(ids: readonly string[], to: To): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  for (let left = ids; left.length > 0; ) {
    const sent = await send(left, to)
    for (const outcome of sent) outcomes.set(outcome.id, outcome)
    const late = sent.filter(({ isLate }) => isLate).map(({ id }) => id)
    if (late.length === left.length) break
    left = late
  }
  return outcomes
}

function send(ids: readonly string[], to: To): Promise<readonly Outcome[]> {
  if (to === 'deleted') return deleteLinks(ids)
  return to === 'restored' ? restoreAll(ids) : updateLinks(ids, to)
}

/** One after another: each needs a request of its own. */
async function restoreAll(ids: readonly string[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const id of ids) {
    const reason = await restoreLink(id).then(() => null, messageOf)
    outcomes.push({ id, reason, isLate: false })
  }
  return outcomes
}
