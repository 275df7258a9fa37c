import { memoryShares } from '../lib/memory/memory-shares.ts'
import { type Sharer, sharersOf } from '../lib/net/client-key.ts'
import { overloaded, type Refusal } from '../plugin/outcomes.ts'

/**
 * How many times its size a body takes at most while it is read: it comes in parts that are joined, and becomes a text
 * and then values.
 */
const timesItsSize = { json: 6, form: 4, multipart: 4, bytes: 2 } as const

/** What takes no more than this does not count: the head of a request may take four times as much. */
const nothingMuch = 4 * 1024

/** The memory that bodies of requests take, of all requests together. */
export interface BodyMemory {
  /** Notes a body of a client, given its key. */
  begin(client: string): HeldBody
}

export interface HeldBody {
  /** Notes that so many more bytes have come. Returns a refusal if they are too many, beside those of others. */
  hold(bytes: number, kind: keyof typeof timesItsSize): Refusal | undefined
  /** It is needed until this work ends, too. */
  until(work: Promise<unknown>): void
  /** Once it is not needed any more, but for that work. */
  end(): void
}

/**
 * Counts bytes as they come, so that a client that announces much and sends little shuts nobody out. A client gets more
 * while it has no more than is free, as with slots: alone it gets half of all, its network three
 * quarters, and others find some whatever they do.
 */
export function createBodyMemory(most = memoryShares.bodiesBytes): BodyMemory {
  const heldBy = new Map<string, number>()
  let free = most

  function take(sharers: readonly Sharer[], bytes: number): void {
    free -= bytes
    for (const { key } of sharers) {
      const held = (heldBy.get(key) ?? 0) + bytes
      if (held === 0) heldBy.delete(key)
      else heldBy.set(key, held)
    }
  }

  return {
    begin(client) {
      const sharers = sharersOf(client)
      let size = 0
      let counted = 0
      let work: Promise<unknown> | undefined
      const release = () => take(sharers, -counted)
      return {
        hold(bytes, kind) {
          size += bytes * timesItsSize[kind]
          if (size <= nothingMuch) return undefined
          const more = size - counted
          const isTooMuch = sharers.some(
            ({ key, shares }) => (heldBy.get(key) ?? 0) + more > shares * (free - more),
          )
          if (isTooMuch) return overloaded
          counted = size
          take(sharers, more)
          return undefined
        },
        until(needing) {
          work = needing
        },
        end() {
          if (work) work.then(release, release)
          else release()
        },
      }
    },
  }
}
