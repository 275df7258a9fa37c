import type { Context, LinkView } from '../../../core/plugin.ts'
import { table } from './table.ts'

/** What a visitor gets who asks for one of the visits that are left. */
export type Admission = 'given' | 'none' | 'busy'

export interface Places {
  /**
   * Uses up one visit of a link, if one is left. This is committed before it resolves, so that the limit is exact even for
   * simultaneous visits and after a crash. Whoever waits too long is told that it is `busy`, and uses up none.
   */
  take(link: Pick<LinkView, 'id' | 'rowId'>): Promise<Admission>
}

/**
 * How long a visitor waits. A guard may take longer, so that whether a visit was used up is decided here, and nobody is
 * given up on elsewhere who got one.
 */
const patienceMs = 1_500

interface Waiting {
  answer(admission: Admission): void
  fail(error: unknown): void
  hasLeft: boolean
}

/**
 * Takes all visits of a link that were asked for during one statement by the next: hundreds may ask at the same moment, and
 * each statement is a commit of its own. Visits of those who left meanwhile are given back.
 */
export function createPlaces({ db, links }: Pick<Context, 'db' | 'links'>): Places {
  const waiting = new Map<number, Waiting[]>()

  async function serve({ id, rowId }: Pick<LinkView, 'id' | 'rowId'>): Promise<void> {
    for (;;) {
      const all = (waiting.get(rowId) ?? []).filter(({ hasLeft }) => !hasLeft)
      if (all.length === 0) break
      waiting.set(rowId, [])
      try {
        const { taken, isUsedUp } = await takeVisits(db, rowId, all.length)
        const there = all.filter(({ hasLeft }) => !hasLeft)
        for (const [at, { answer }] of there.entries()) answer(at < taken ? 'given' : 'none')
        if (taken > there.length) await giveBack(db, rowId, taken - there.length)
        if (isUsedUp) links.recompile(id)
      } catch (error) {
        for (const { fail } of all) fail(error)
      }
    }
    waiting.delete(rowId)
  }

  return {
    take(link) {
      const { promise, resolve, reject } = Promise.withResolvers<Admission>()
      const one: Waiting = { answer: resolve, fail: reject, hasLeft: false }
      const leave = setTimeout(() => {
        one.hasLeft = true
        resolve('busy')
      }, patienceMs)
      const others = waiting.get(link.rowId)
      if (others) others.push(one)
      else {
        waiting.set(link.rowId, [one])
        void serve(link)
      }
      return promise.finally(() => clearTimeout(leave))
    },
  }
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

async function giveBack(db: Context['db'], linkId: number, visits: number): Promise<void> {
  await db
    .updateTable(table)
    .set(eb => ({ visits: eb('visits', '-', visits) }))
    .where('link_id', '=', linkId)
    .where('visits', '>=', visits)
    .execute()
}
