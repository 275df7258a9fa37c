import { sql } from 'kysely'
import { counted } from '../lib/text/shown.ts'
import { countGuardedLinks } from '../links/read/guarded-links.ts'
import type { Database } from '../storage/database.ts'
import { type ServerOnDatabase, serversOn } from '../storage/servers.ts'
import { dueMs } from './examine-database.ts'
import { setTheClock } from './examine-folder.ts'
import { bytesAsText, type Finding, fine, warning } from './finding.ts'

/** How far clocks may be apart, in milliseconds: more than asking another machine for its time takes. */
const clocksDifferMs = 30_000

/** Checks how a PostgreSQL server stores and archives the database, as far as the server tells. */
export async function examineServer(db: Database, now: Date): Promise<readonly Finding[]> {
  const { version, bytes, flushes, saysMs, archivedAt, failedAt } = await db
    .selectNoFrom([
      sql<string>`current_setting('server_version')`.as('version'),
      sql<number>`pg_database_size(current_database())`.as('bytes'),
      sql<string>`current_setting('fsync')`.as('flushes'),
      sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)`.as('saysMs'),
      archiverSaid('last_archived_time').as('archivedAt'),
      archiverSaid('last_failed_time').as('failedAt'),
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
    examineCopies(archivedAt ?? 0, failedAt ?? 0, now),
    ...examineServers(await serversOn(db)),
    examineClocks(now, new Date(saysMs)),
  ]
}

/** Each server opens and ends links by its own clock; the clock of PostgreSQL is one that all can ask. */
function examineClocks(here: Date, there: Date): Finding {
  const says = `The clock of this machine says ${here.toISOString()}, that of PostgreSQL ${there.toISOString()}.`
  return Math.abs(here.getTime() - there.getTime()) < clocksDifferMs
    ? fine('clock', says)
    : warning(
        'clock',
        `${says} Links open and end at different times on servers whose clocks differ.`,
        setTheClock,
      )
}

/** Finds links that are closed here, but may be open on other servers, which have the plugin that protects them. */
export async function examineClosedLinks(
  db: Database,
  features: readonly string[],
): Promise<readonly Finding[]> {
  const guarded = [...(await countGuardedLinks(db))].filter(([it]) => !features.includes(it))
  return guarded.map(([feature, links]) =>
    warning(
      'plugins',
      `${feature} does not run on this server, so links that it protects are closed here: ${counted(links, 'link')}.`,
      'Install it on this server, or switch it on.',
    ),
  )
}

function examineServers(servers: readonly ServerOnDatabase[]): readonly Finding[] {
  if (servers.length === 0) return [fine('servers', 'No server runs on this database at present.')]
  const each = servers.map(({ name, address }) => (address ? `${name} (${address})` : name))
  const says = `Servers on this database: ${each.join(', ')}.`
  const [versions, baseUrls] = [
    new Set(servers.map(({ version }) => version)),
    new Set(servers.map(({ baseUrl }) => baseUrl)),
  ]
  const ofVersions = warning(
    'servers',
    says,
    'Update all to the same version: older versions were not tested with data of newer ones.',
  )
  return [
    versions.size === 1 ? fine('servers', says) : ofVersions,
    ...(baseUrls.size > 1 ? [warning('servers', differentUrls, compareUrls)] : []),
  ]
}

const differentUrls =
  'The servers do not all have the same LINNET_BASE_URL, so they show different short URLs for the same link.'
const compareUrls = 'Compare the URLs with linnet config on each server, and set the same on all.'

/** A time in milliseconds since 1970 UTC; null if it never happened. */
function archiverSaid(column: 'last_archived_time' | 'last_failed_time') {
  return sql<number | null>`(
    select floor(extract(epoch from ${sql.ref(column)}) * 1000) from pg_stat_archiver
  )`
}

/** A server knows nothing of dumps and base backups, but it does know when it archived its log. */
function examineCopies(archivedAt: number, failedAt: number, now: Date): Finding {
  const says = `PostgreSQL archived its write-ahead log last at ${new Date(archivedAt).toISOString()}`
  if (failedAt > archivedAt) {
    return warning(
      'backups',
      `${archivedAt === 0 ? 'PostgreSQL has never archived its write-ahead log' : says}, and failed at ${new Date(failedAt).toISOString()}.`,
      'The log of PostgreSQL says why: correct archive_command, and make sure that its disk has space.',
    )
  }
  if (now.getTime() - archivedAt < dueMs) {
    return fine(
      'backups',
      `${says}. That does not show when the last base backup was made: make sure that pg_basebackup makes one each week.`,
    )
  }
  return warning(
    'backups',
    archivedAt === 0
      ? 'PostgreSQL archives no write-ahead log, and Linnet cannot see whether you make dumps.'
      : `${says}, which is long ago, and Linnet cannot see whether you make dumps.`,
    'Run pg_dump --format=custom each night, or set up archiving, and copy plugins/ of the data folder too.',
  )
}
