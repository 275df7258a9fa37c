import { createHmac } from 'node:crypto'
import { within } from '../lib/async/within.ts'
import { createLru } from '../lib/memory/lru.ts'
import type { Tally } from './tally.ts'
import { type Throttle, tightest, type Verdict, verdictOn } from './throttle.ts'

/** What is known of a key that all servers count. */
interface Shared {
  readonly seconds: number
  /** What all of them counted, with the uses here that they were not told of yet. */
  uses: number
  untold: number
  /** By the clock that never leaps; a new window begins then. */
  endsAt: number
}

/** A server tells the others of its uses when they are a tenth of a limit, and in any case after so long. */
const share = 10
const gatherMs = 1_000

/** Longer nobody waits for what the others counted: then this server counts by itself. */
const waitMs = 500

/** For so long nobody waits once it was away. */
const awayMs = 5_000

const remembered = 50_000

/** So many keys are told of in one statement. */
const mostAtOnce = 1_000

/**
 * A throttle that counts with those of other servers as well: what is used here is allowed by both. Nobody waits for
 * the database but who has used up a tenth of a limit since it was told last; so all servers together allow at most
 * that tenth for each of them, and at least one use, more than the limit. While the database is away each counts by
 * itself. The database is told digests of keys.
 */
export function shareThrottle(
  own: Throttle,
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
    const told = [...untold].slice(0, mostAtOnce)
    const uses = told.map(([key, it]) => ({ key, seconds: it.seconds, uses: it.untold }))
    for (const [key] of told) untold.delete(key)
    for (const [, it] of told) it.untold = 0
    // What cannot be told is not told later: its window may be over.
    const answers = await tally(uses).catch(() => {
      awayUntil = performance.now() + awayMs
      return []
    })
    for (const [at, { uses, msLeft }] of answers.entries()) {
      const it = told[at]?.[1]
      if (it === undefined) continue
      it.uses = uses + it.untold
      it.endsAt = performance.now() + msLeft
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

  /** Until the others know of what is used here, or it is clear that no more is allowed. */
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
    const mine = await own(key, max, seconds)
    await waitUntilTold(name, max, seconds, most)
    const it = find(name, seconds)
    it.uses += 1
    it.untold += 1
    if (untold.size < remembered) untold.set(name, it)
    if (it.untold >= most) void tell()
    else tellSoon()
    const ours = verdictOn(it.uses, it.endsAt - performance.now(), max, seconds)
    return { ...tightest([mine, ours]), allowed: mine.allowed && it.uses <= max }
  }

  const peek: Throttle['peek'] = async (key, max, seconds) => {
    const mine = await own.peek(key, max, seconds)
    const it = known.get(nameOf(key, max, seconds))
    const now = performance.now()
    if (it === undefined || it.endsAt <= now) return mine
    return tightest([mine, verdictOn(it.uses, it.endsAt - now, max, seconds)])
  }

  return Object.assign(use, { peek })
}
