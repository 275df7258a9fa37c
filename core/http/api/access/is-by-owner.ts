import { readSession } from '../../../accounts/access/sessions/sessions.ts'
import { rawHeader } from '../../../lib/request-head.ts'
import type { IsByOwner } from '../../../links/follow/follow-deps.ts'
import type { Log } from '../../../plugin.ts'
import type { Database } from '../../../storage/database.ts'
import { cookieIn } from './identify.ts'

/** How many sessions are looked up at a time. Beyond that nobody is the owner: anybody can send a cookie. */
const most = 100

/**
 * Finds out whether a visit is by the owner of the link. Following a link does not keep a session alive, so that only work
 * in the dashboard does.
 */
export function createIsByOwner({
  db,
  now,
  log,
  track,
  cookie,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly log: Log
  track<T>(work: Promise<T>): Promise<T>
  /** Name of the cookie of sessions. */
  readonly cookie: string
}): IsByOwner {
  let underWay = 0

  async function isSessionOf(session: string, accountId: number): Promise<boolean> {
    underWay += 1
    try {
      return (await readSession(db, session, now))?.account.id === accountId
    } catch (error) {
      log.warn('It could not be found out whether a visit is by the owner of the link', { error })
      return false
    } finally {
      underWay -= 1
    }
  }

  return (head, accountId) => {
    const session = cookieIn(rawHeader(head, 'cookie'), cookie)
    if (session === undefined || underWay >= most) return undefined
    return track(isSessionOf(session, accountId))
  }
}
