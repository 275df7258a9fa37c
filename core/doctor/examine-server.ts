import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import { bytesAsText } from './bytes-as-text.ts'
import { type Finding, fine, warning } from './finding.ts'

/** A night, and a morning to look. */
const dueMs = 36 * 3_600_000

/** How a PostgreSQL server keeps what it has, as far as it says so itself. */
export async function examineServer(db: Database, now: Date): Promise<readonly Finding[]> {
  const { version, bytes, flushes, archivedAt } = await db
    .selectNoFrom([
      sql<string>`current_setting('server_version')`.as('version'),
      sql<number>`pg_database_size(current_database())`.as('bytes'),
      sql<string>`current_setting('fsync')`.as('flushes'),
      sql<number | null>`(
        select floor(extract(epoch from last_archived_time) * 1000) from pg_stat_archiver
      )`.as('archivedAt'),
    ])
    .executeTakeFirstOrThrow()
  const says = `PostgreSQL ${version} has ${bytesAsText(bytes)} of Linnet.`
  return [
    flushes === 'on'
      ? fine('database', says)
      : warning(
          'database',
          `${says} fsync is off: a power cut can destroy the database.`,
          'Set fsync = on in postgresql.conf and reload the server.',
        ),
    examineCopies(archivedAt, now),
  ]
}

/** Of dumps a server knows nothing; of its archived log it does. */
function examineCopies(archivedAt: number | null, now: Date): Finding {
  if (archivedAt !== null && now.getTime() - archivedAt < dueMs) {
    const at = new Date(archivedAt).toISOString()
    return fine('backups', `PostgreSQL archived its write-ahead log last at ${at}.`)
  }
  return warning(
    'backups',
    'PostgreSQL archives no write-ahead log, and Linnet does not see whether anybody makes dumps.',
    'Run pg_dump --format=custom each night, or set up archiving, and copy plugins/ of the data folder too.',
  )
}
