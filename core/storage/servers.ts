import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** A server that runs on a PostgreSQL database. */
export interface ServerOnDatabase {
  /** Its version and machine, such as `0.1.0 on web-1`. */
  readonly name: string
  /** Its version. */
  readonly version: string
  /** A digest of its base URL. */
  readonly baseUrl: string
  /** Where its connections come from; null if they come from the machine of the database. */
  readonly address: string | null
}

const prefix = 'linnet server '

/**
 * The name of the connection that a server keeps open as long as it runs, such as `linnet server 0.1.0 1f0c2ab9 on
 * web-1`; PostgreSQL keeps 63 bytes of it.
 */
export function connectionOfServer(version: string, baseUrl: string): string {
  return `${prefix}${version} ${digestOfUrl(baseUrl)} on ${hostname()}`
}

/** Tells base URLs apart in the name of a connection, which has no room for a URL. */
export function digestOfUrl(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)
}

const parts = /^(?<version>\S*) (?<baseUrl>[\da-f]{8}) on /

/** All servers that run now, including this one. Servers that connect as another user are not counted. */
export async function serversOn(db: Database): Promise<readonly ServerOnDatabase[]> {
  const rows = await db
    .selectFrom(connectionsOfOurs)
    .select(['name', 'address'])
    .where('name', 'like', `${prefix}%`)
    .orderBy('name')
    .execute()
  return rows.map(({ name, address }) => {
    const label = name.slice(prefix.length)
    const { version = '', baseUrl = '' } = parts.exec(label)?.groups ?? {}
    return { name: label.replace(parts, '$<version> on '), version, baseUrl, address }
  })
}

/** Whether a process of PostgreSQL belongs to a connection with the same user as ours. */
export async function isOfOurs(db: Database, process: number): Promise<boolean> {
  const found = await db
    .selectFrom(connectionsOfOurs)
    .select('process')
    .where('process', '=', process)
    .executeTakeFirst()
  return found !== undefined
}

const connectionsOfOurs = sql<{
  readonly process: number
  readonly name: string
  readonly address: string | null
}>`(
  select pid as process, application_name as name, host(client_addr) as address from pg_stat_activity
  where datname = current_database() and usename = current_user
)`.as('connections')
