import type { BoundedQueue } from '../../../lib/async/bounded-queue.ts'
import { sizeOfLinks } from '../../../links/read/list-links.ts'
import type { LinkDeps } from '../../../links/write/link-deps.ts'

/** Where links are, and what bounds the memory that they take. */
export interface InTurnDeps {
  readonly links: Pick<LinkDeps, 'db'>
  readonly computations: BoundedQueue
}

/** What is done with links of more is done in turn with analytics, whose memory is bounded, too. */
const largeBytes = 256 * 1024

/** Does what has to do with links of an account: at once, unless they are large. Throws `Overloaded`. */
export type InTurn = <T>(of: Those, work: () => Promise<T>) => Promise<T>

interface Those {
  readonly accountId: number
  readonly rowIds: readonly number[]
  /** How many more bytes each of them gets. */
  readonly more?: number
}

export function inTurn({ links: { db }, computations }: InTurnDeps): InTurn {
  return async ({ accountId, rowIds, more = 0 }, work) => {
    const isLarge = (await sizeOfLinks(db, rowIds)) + rowIds.length * more > largeBytes
    return isLarge ? computations(work, { lane: `account ${accountId}`, rank: 0 }) : work()
  }
}
