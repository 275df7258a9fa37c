import type { Context } from '../../../core/plugin.ts'
import { table } from './table.ts'

/** What a visitor gets who asks for one of the visits that are left; `busy` uses up none. */
export type Place = 'one of several' | 'the last' | 'none' | 'busy'

export interface Places {
  /**
   * Uses up one visit of a link, if one is left. This is committed before it resolves, so that the limit is exact even for
   * simultaneous visits and after a crash.
   */
  take(linkId: number): Promise<Place>
}

/** Whoever has waited so many milliseconds is told to come again: a visitor who is given up on must use up no visit. */
const patienceMs = 1_000

interface Waiting extends PromiseWithResolvers<Place> {
  readonly since: number
}

/**
 * Takes all visits of a link that were asked for during one statement by the next: hundreds may ask at the same moment, and
 * each statement is a commit of its own.
 */
export function createPlaces(db: Context['db'], monotonicMs = () => performance.now()): Places {
  const waiting = new Map<number, Waiting[]>()

  async function serve(linkId: number): Promise<void> {
    for (;;) {
      const all = waiting.get(linkId) ?? []
      if (all.length === 0) break
      waiting.set(linkId, [])
      const tooEarly = monotonicMs() - patienceMs
      for (const { since, resolve } of all) if (since < tooEarly) resolve('busy')
      const inTime = all.filter(({ since }) => since >= tooEarly)
      try {
        const { taken, isUsedUp } = await takeVisits(db, linkId, inTime.length)
        for (const [at, { resolve }] of inTime.entries()) resolve(placeOf(at + 1, taken, isUsedUp))
      } catch (error) {
        for (const { reject } of inTime) reject(error)
      }
    }
    waiting.delete(linkId)
  }

  return {
    take(linkId) {
      const one = { ...Promise.withResolvers<Place>(), since: monotonicMs() }
      const others = waiting.get(linkId)
      if (others) others.push(one)
      else {
        waiting.set(linkId, [one])
        void serve(linkId)
      }
      return one.promise
    },
  }
}

/** The place of the first, second and so on of those who ask together. */
function placeOf(asked: number, taken: number, isUsedUp: boolean): Place {
  if (asked > taken) return 'none'
  return isUsedUp && asked === taken ? 'the last' : 'one of several'
}

/** Uses up as many of these visits as are left, most of the time by one statement. */
async function takeVisits(
  db: Context['db'],
  linkId: number,
  wanted: number,
): Promise<{ readonly taken: number; readonly isUsedUp: boolean }> {
  let taken = 0
  for (let some = wanted; some > 0; some = Math.min(some, wanted - taken)) {
    const row = await db
      .updateTable(table)
      .set(eb => ({ visits: eb('visits', '+', some) }))
      .where('link_id', '=', linkId)
      .where(eb => eb(eb('visits', '+', some), '<=', eb.ref('max_visits')))
      .returning(['visits', 'max_visits'])
      .executeTakeFirst()
    if (!row) some = Math.floor(some / 2)
    else {
      taken += some
      if (Number(row.visits) >= Number(row.max_visits)) return { taken, isUsedUp: true }
    }
  }
  return { taken, isUsedUp: taken < wanted }
}
