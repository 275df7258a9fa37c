import type { Database } from '../../storage/database.ts'
import { digest } from '../digest.ts'
import { isDead } from './sessions.ts'

/** A session as its owner sees it. Which browser it belongs to is not stored. */
export interface OwnSession {
  readonly id: string
  readonly createdAt: Date
  /** When it was last used, to the minute. */
  readonly lastSeenAt: Date
}

/** The sessions of an account that are not over, newest first. */
export async function listSessions(
  db: Database,
  accountId: number,
  now: () => Date,
): Promise<readonly OwnSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id_hash', 'created_at', 'seen_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute()
  const at = now().getTime()
  return rows
    .filter(row => !isDead(row.created_at, row.seen_at, at))
    .map(row => ({
      id: idOf(row.id_hash),
      createdAt: new Date(row.created_at),
      lastSeenAt: new Date(row.seen_at),
    }))
}

/** The public id of the session that a cookie holds. */
export function sessionId(cookie: string): string {
  return idOf(digest(cookie))
}

/** End a session of an account; false when it has none of this id. */
export async function endSession(db: Database, accountId: number, id: string): Promise<boolean> {
  const rows = await db
    .selectFrom('sessions')
    .select('id_hash')
    .where('account_id', '=', accountId)
    .execute()
  const row = rows.find(({ id_hash }) => idOf(id_hash) === id)
  if (!row) return false
  await db.deleteFrom('sessions').where('id_hash', '=', row.id_hash).execute()
  return true
}

/** A part of the digest: enough to tell sessions apart, but it opens none. */
function idOf(idHash: string): string {
  return `ses_${idHash.slice(0, 24)}`
}
