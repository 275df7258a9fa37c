import { createHmac } from 'node:crypto'
import { within } from '../lib/async/within.ts'
import { createLru } from '../lib/memory/lru.ts'
import { type Throttle, tightest, type Verdict, verdictOn } from './throttle.ts'

/** Uses of something that servers on one database count together. */
interface Uses {
  readonly key: string
  readonly seconds: number
  readonly uses: number
}

/** How many uses all servers counted, and how much of the window is left. */
interface Tallied {
  readonly uses: number
  readonly msLeft: number
}

/** Adds to the shared counts in one statement. Each key must occur only once. Results are in the order of `uses`. */
export type Tally = (uses: readonly Uses[]) => Promise<readonly Tallied[]>

/** What this server knows of a key that all servers count. */
interface Shared {
  readonly seconds: number
  /** The uses on all servers, including those here that the others have not been told of yet. */
  uses: number
  /** Uses here that the others may not know of yet, also while they are being told. */
  untold: number
  /** By the monotonic clock; a new window begins then. */
  endsAt: number
}

/** A server tells the others of its uses once they reach a tenth of a limit, and at the latest after `gatherMs`. */
const share = 10
const gatherMs = 1_000

/** How long to wait for what the others counted; after that, this server counts by itself. */
const waitMs = 500

/** For how long nobody waits for the database after it failed or was too slow. */
const awayMs = 5_000

const remembered = 50_000

/** How many keys one statement tells of at most. */
const mostAtOnce = 1_000

/**
 * A throttle that also counts the uses on other servers: a use is allowed if both counts allow it. A use waits
 * for the database only if a tenth of its limit was used here since the database was last told. So all servers
 * together exceed a limit by at most a tenth of it, and at least one use, for each server. While the database
 * is away, each server counts by itself. The database only gets digests of keys.
 */
export function shareThrottle(
  thisServer: Throttle,
  { tally, secret }: { readonly tally: Tally; readonly secret: Buffer },
): Throttle {
  const known = createLru<string, Shared>(remembered)
  const untold = new Map<string, Shared>()
  let telling: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let awayUntil = 0

  function tell(): Promise<void> {
    telling ??= tellAll().finally(() => {
      telling = undefined
      if (untold.size > 0) tellSoon()
    })
    return telling
  }

  function tellSoon(): void {
    timer ??= setTimeout(tell, gatherMs).unref()
  }

  async function tellAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...untold]
      .slice(0, mostAtOnce)
      .map(([key, it]) => ({ key, it, uses: it.untold }))
    for (const { key } of batch) untold.delete(key)
    const asked = batch.map(({ key, it, uses }) => ({ key, seconds: it.seconds, uses }))
    // Uses that could not be told are not told later: their window may be over.
    const answers = await tally(asked).catch(() => {
      awayUntil = performance.now() + awayMs
      return []
    })
    for (const [at, { it, uses }] of batch.entries()) {
      it.untold -= uses
      const answer = answers[at]
      if (answer === undefined) continue
      it.uses = answer.uses + it.untold
      it.endsAt = performance.now() + answer.msLeft
    }
  }

  function find(key: string, seconds: number): Shared {
    const found = known.get(key)
    if (found && found.endsAt > performance.now()) return found
    const fresh = { seconds, uses: 0, untold: 0, endsAt: performance.now() + seconds * 1_000 }
    known.set(key, fresh)
    untold.delete(key)
    return fresh
  }

  const nameOf = (key: string, max: number, seconds: number) =>
    createHmac('sha256', secret).update(`${max}/${seconds} ${key}`).digest('base64url')

  /** Waits until the others know of the uses here, or it is clear that no more are allowed. */
  async function waitUntilTold(name: string, max: number, seconds: number, most: number) {
    const until = performance.now() + waitMs
    for (;;) {
      const { uses, untold } = find(name, seconds)
      const now = performance.now()
      if (uses >= max || untold < most || now < awayUntil) return
      if (now >= until) awayUntil = now + awayMs
      else await within(until - now, tell(), undefined)
    }
  }

  async function use(key: string, max: number, seconds: number): Promise<Verdict> {
    const name = nameOf(key, max, seconds)
    const most = Math.max(Math.floor(max / share), 1)
    const here = await thisServer(key, max, seconds)
    await waitUntilTold(name, max, seconds, most)
    const it = find(name, seconds)
    it.uses += 1
    it.untold += 1
    if (untold.size < remembered) untold.set(name, it)
    if (it.untold >= most) void tell()
    else tellSoon()
    const everywhere = verdictOn(it.uses, it.endsAt - performance.now(), max, seconds)
    return { ...tightest([here, everywhere]), allowed: here.allowed && it.uses <= max }
  }

  const peek: Throttle['peek'] = async (key, max, seconds) => {
    const here = await thisServer.peek(key, max, seconds)
    const it = known.get(nameOf(key, max, seconds))
    const now = performance.now()
    if (it === undefined || it.endsAt <= now) return here
    return tightest([here, verdictOn(it.uses, it.endsAt - now, max, seconds)])
  }

  return Object.assign(use, { peek })
}
