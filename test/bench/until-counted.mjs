import { setTimeout as pause } from 'node:timers/promises'
import { call } from './linnet.mjs'

/** So long the counts may stand still before all visits are in them: a slow machine takes longer, but goes on. */
const mostStillMs = 120_000

/**
 * Wait until so many visits are in the counts or, as health says, were dropped because too many waited to be
 * stored; gives how many of each. Throws when neither grows any more.
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
  // Who asks about the fewest dimensions takes the least of what is measured.
  const { data } = await call(server, 'GET', '/analytics?interval=all&dimensions=visits')
  return data.totals.visits
}

async function countDropped({ url }) {
  const answer = await fetch(`${url}/health/ready`)
  const { checks } = await answer.json()
  const [, dropped = 0] = /(\d+) visits? (?:was|were) dropped/.exec(checks.visits.note) ?? []
  return Number(dropped)
}
