import { sql } from 'kysely'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** How long after each failed attempt the next one is made: https://www.standardwebhooks.com proposes these. */
const pausesMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** So many attempts are made, over three days. */
export const mostAttempts = pausesMs.length + 1

/** So many failures one after another, and nothing is sent for a while but one message to see whether it works again. */
export const failuresToPause = 5

/** A webhook of which nothing succeeded for so long, in so many attempts, is switched off. */
export const failingMs = 120 * hour
export const failuresToEnd = 10

/** No pause is longer: whatever is due later was noted while the clock was ahead, and is due now. */
const longestPauseMs = 27 * hour

/** Whether a moment is yet to come, by a clock that may have been ahead when it was noted. */
export function isToCome(moment: number | null, at: number): boolean {
  return moment !== null && moment > at && moment <= at + longestPauseMs
}

/** The same of a column, in a query: whether what is noted there is due. */
export function isDue(column: string, at: number) {
  return sql<boolean>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longestPauseMs})`
}

/** Every pause is up to a tenth longer or shorter, so that not all come back at the same moment. */
export function pauseAfter(failures: number, random = Math.random()): number {
  const ms = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 5 * second
  return Math.round(ms * (0.9 + 0.2 * random))
}

/** What `Retry-After` asks for, between a second and a day. */
export function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * second : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, second), 24 * hour)
}
