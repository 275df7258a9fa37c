import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { overloaded, type Refusal } from '../../plugin/outcomes.ts'

/** Bodies of up to so many bytes do not count. */
export const smallBody = 16 * 1024

/** The memory that bodies of requests to mounts take, of all mounts together. */
export interface BodyMemory {
  /** Notes a body of a client, given its key. */
  begin(client: string): HeldBody
}

export interface HeldBody {
  /** Notes more bytes of it. Returns a refusal if they are too many, beside those of others. */
  hold(bytes: number): Refusal | undefined
  /** Once it is not needed any more. */
  end(): void
}

/** Counts bytes as they come, so that a client that announces much and sends little shuts nobody out. */
export function createBodyMemory(mostOfAll = memoryShares.bodiesBytes): BodyMemory {
  const ofClients = new Map<string, number>()
  let ofAll = 0

  function add(client: string, bytes: number): void {
    ofAll += bytes
    const held = (ofClients.get(client) ?? 0) + bytes
    if (held === 0) ofClients.delete(client)
    else ofClients.set(client, held)
  }

  return {
    begin(client) {
      let size = 0
      let counted = 0
      return {
        hold(bytes) {
          size += bytes
          if (size <= smallBody) return undefined
          const more = size - counted
          if (ofAll + more > mostOfAll) return overloaded
          if ((ofClients.get(client) ?? 0) + more > mostOfAll / 2) return overloaded
          counted = size
          add(client, more)
          return undefined
        },
        end: () => add(client, -counted),
      }
    },
  }
}
