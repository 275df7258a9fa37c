import { setTimeout as pause } from 'node:timers/promises'
import { call } from './linnet.mjs'

/**
 * How long the counts may stand still before it fails, in milliseconds: a slow machine takes longer, but makes
 * progress.
 */
const mostStillMs = 120_000

/**
 * Waits until this many visits are counted or, according to the health check, were dropped because too many
 * were waiting to be stored; returns both numbers. Throws once neither grows any more.
 */
export async function untilCounted(server, visits) {
  let before = 0
  let grewAt = performance.now()
  for (;;) {
    const counted = await countVisits(server)
    const dropped = await countDropped(server)
    const known = counted + dropped
    if (known >= visits) return { counted, dropped }
    if (known > before) grewAt = performance.now()
    if (performance.now() - grewAt > mostStillMs) {
      throw new Error(`Of ${visits} visits ${counted} were counted and ${dropped} dropped.`)
    }
    before = known
    await pause(100)
  }
}

async function countVisits(server) {
  // Asking for a single dimension takes the least processor time from what is measured.
  const { data } = await call(server, 'GET', '/analytics?interval=all&dimensions=visits')
  return data.totals.visits
}

async function countDropped({ url }) {
  const answer = await fetch(`${url}/health/ready`)
  const { checks } = await answer.json()
  const [, dropped = 0] = /(\d+) visits? (?:was|were) dropped/.exec(checks.visits.note) ?? []
  return Number(dropped)
}
