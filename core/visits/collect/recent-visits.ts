import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { CountedVisits } from '../wire/counted-visits.ts'

/** How many minutes the recent visits reach back. */
export const recentMinutes = 30

/** How many sums to keep, one per link and minute; beyond that, the earliest minutes are dropped. */
const maxSums = memoryShares.sumsOfMinutes

/** The visits of an account's links in the last minutes. */
export interface RecentVisits {
  /** For how long visits have been remembered, in milliseconds. */
  readonly rememberedMs: number
  /** The first minute that was not dropped, in minutes since 1970 UTC; 0 if none was dropped. */
  readonly firstMinute: number
  /** Three numbers per sum: the minute since 1970 UTC, the row id of the link, and its visits in that minute. */
  readonly sums: Float64Array
}

/** The visits of the last minutes, in memory only: counts by the minute are never stored. */
export interface RecentMinutes {
  /** Adds the kept visits of a batch. Robots are left out, as in all numbers of visits. */
  add(visits: CountedVisits, kept: Uint32Array): void
  read(accountId: number): RecentVisits
}

type VisitsByLink = Map<number, number>

/** Starts to remember visits; it knows nothing of earlier ones. */
export function rememberMinutes(most = maxSums): RecentMinutes {
  const begunAt = performance.now()
  /** By minute, then by account. */
  const minutes = new Map<number, Map<number, VisitsByLink>>()
  let firstMinute = 0
  let latest = 0
  let size = 0

  function sumsIn(minute: number, accountId: number): VisitsByLink {
    const accounts = got(minutes, minute, () => new Map<number, VisitsByLink>())
    return got(accounts, accountId, () => new Map())
  }

  function forget(minute: number): void {
    for (const links of minutes.get(minute)?.values() ?? []) size -= links.size
    minutes.delete(minute)
  }

  function forgetEarly(): void {
    for (const minute of minutes.keys()) if (minute <= latest - recentMinutes) forget(minute)
    while (size > most && minutes.size > 1) {
      const earliest = Math.min(...minutes.keys())
      forget(earliest)
      firstMinute = earliest + 1
    }
  }

  return {
    add(visits, kept) {
      let [minute, accountId] = [Number.NaN, Number.NaN]
      let links: VisitsByLink = new Map()
      for (const visit of kept) {
        if (visits.isBot(visit)) continue
        const { id, owner } = visits.linkOf(visit)
        const itsMinute = minuteOf(visits.momentOf(visit))
        if (itsMinute !== minute || owner.accountId !== accountId) {
          minute = itsMinute
          accountId = owner.accountId
          links = sumsIn(minute, accountId)
          latest = Math.max(latest, minute)
        }
        const sum = links.get(id)
        if (sum === undefined) size += 1
        links.set(id, (sum ?? 0) + 1)
      }
      forgetEarly()
    },
    read(accountId) {
      const sums: number[] = []
      for (const [minute, accounts] of minutes) {
        for (const [link, visits] of accounts.get(accountId) ?? []) sums.push(minute, link, visits)
      }
      const rememberedMs = performance.now() - begunAt
      return { rememberedMs, firstMinute, sums: Float64Array.from(sums) }
    },
  }
}

/** The minute of a time in milliseconds since 1970 UTC, in minutes since then. */
export function minuteOf(at: number): number {
  return Math.floor(at / 60_000)
}

function got<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
