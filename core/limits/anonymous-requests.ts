import { networkOf } from '../lib/net/client-key.ts'
import type { Refusal } from '../plugin/outcomes.ts'
import { type Throttle, tightest, tooManyRequests, type Verdict } from './throttle.ts'

/** Limits how often a client that has shown no token may put plugins to work. */
export interface AnonymousRequests {
  /** Counts a request of a client, given its key. Returns a refusal (429) if the client sent too many. */
  count(client: string): Promise<Refusal | undefined>
  /** Returns the refusal that one more request would get, without counting it. */
  peek(client: string): Promise<Refusal | undefined>
}

/** Per minute: more than a room full of visitors behind one address sends. */
const maxOfClient = 600
const windowSeconds = 60
/** A /48 network may be one household, or thousands of phones. */
const clientsInNetwork = 10

export function createAnonymousRequests(throttle: Throttle): AnonymousRequests {
  type Use = (key: string, max: number, seconds: number) => Promise<Verdict>

  async function refusedBy(use: Use, client: string): Promise<Refusal | undefined> {
    const network = networkOf(client)
    const all = maxOfClient * clientsInNetwork
    const verdict = tightest([
      await use(`anonymous ${client}`, maxOfClient, windowSeconds),
      ...(network === undefined ? [] : [await use(`anonymous ${network}`, all, windowSeconds)]),
    ])
    return verdict.allowed ? undefined : tooManyRequests(verdict)
  }

  return {
    count: client => refusedBy(throttle, client),
    peek: client => refusedBy(throttle.peek, client),
  }
}
