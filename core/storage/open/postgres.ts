import { Kysely } from 'kysely'
import pg from 'pg'
import type { FoundLink, Storage } from '../database.ts'
import { createDamage } from '../files/damage.ts'
import { UnusableDatabase } from '../files/inspect-file.ts'
import { tableOfMove, versionKey, writeMeta } from '../meta.ts'
import { noNews } from '../news.ts'
import type { Schema } from '../schema.ts'
import { newestOf, postgresHistory, type SchemaHistory } from '../tables.ts'
import { findLinksTogether, followed } from './find-links-together.ts'
import { ended } from './lend-connections.ts'
import { migrate } from './migrate.ts'
import { type Clients, type ClientsOptions, createClients, finders } from './postgres-clients.ts'
import { lockOf, postgresDialect } from './postgres-dialect.ts'
import { whyNotOpened, withoutSecrets } from './postgres-failure.ts'
import { createLocks } from './postgres-locks.ts'
import { type HeardNews, hearNews, tell } from './postgres-news.ts'
import { expectOwnConnection } from './postgres-pooler.ts'
import { createTally } from './postgres-tally.ts'
import { createWriteGate } from './write-gate.ts'

/** The oldest supported version with everything that is used here: 15. */
const oldestServer = 150_000

export interface OpenOptions {
  /** Whether this process is a server, and so must hear what others change. */
  readonly serves?: boolean | undefined
  /** The version of the Linnet that serves, for people who look at connections. */
  readonly version?: string | undefined
  /** Its base URL, which all servers on the database should share. */
  readonly baseUrl?: string | undefined
  /** Whether the database must exist already: otherwise it is created. */
  readonly expected?: boolean | undefined
  readonly history?: SchemaHistory
}

/**
 * Open the database on a PostgreSQL server and bring its schema up to date. If that is not possible, throws a
 * sentence with the remedy and leaves the database as it is.
 */
export async function openPostgres(
  url: string,
  {
    serves = false,
    version = '',
    baseUrl = '',
    expected = false,
    history = postgresHistory,
  }: OpenOptions = {},
): Promise<Storage> {
  try {
    await preparePostgres(url, { expected, history })
    const newest = newestOf(history)
    return await openPrepared(url, serves ? { version, baseUrl, newest } : undefined)
  } catch (error) {
    throw whyNotOpened(error, withoutSecrets(url))
  }
}

/** Separate connections to the database, for another thread: no migrations, no checks. */
export function joinPostgres(
  url: string,
  options: Pick<ClientsOptions, 'statementMs'> = {},
): { db: Kysely<Schema>; close(): Promise<void> } {
  const { db, close } = kyselyOn(createClients({ url, ...options }))
  return { db, close }
}

/** Throws what opening the database would throw, as far as a look at it tells. */
export async function inspectPostgres(url: string): Promise<void> {
  try {
    await withClient(url, async client => {
      await checkServer(client, url)
      await expectWhole(client)
      await checkTables(client, newestOf(postgresHistory))
    })
  } catch (error) {
    throw whyNotOpened(error, withoutSecrets(url))
  }
}

interface Preparing extends Pick<OpenOptions, 'expected' | 'history'> {
  /** Whether rows are being moved to it, so that some are still missing. */
  readonly isMovedTo?: boolean
}

/** Bring the schema up to date. Only one process at a time does this; the others wait for it. */
export async function preparePostgres(
  url: string,
  { expected = false, isMovedTo = false, history = postgresHistory }: Preparing,
): Promise<void> {
  await withClient(url, async client => {
    await checkServer(client, url)
    await client.query(`select pg_advisory_lock(${lockOf.migrate})`)
    if (!isMovedTo) await expectWhole(client)
    const newest = newestOf(history)
    const version = await checkTables(client, newest)
    const isNew = version === 0
    if (isNew && expected) {
      throw new UnusableDatabase(
        `There is no Linnet in ${withoutSecrets(url)} yet. Start the server first, or correct DATABASE_URL.`,
      )
    }
    if (version < newest) await keepServersOut(client)
    const { db, close } = kyselyOn(createClients({ url, statementMs: 0 }))
    try {
      await migrate(db, history, {
        version: () => versionIn(client),
        setVersion: (version, tx) => writeMeta(tx, versionKey, String(version)),
      })
    } finally {
      await close()
    }
  })
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end()
  }
}

const connectMs = 5_000

/** Throws a sentence if Linnet cannot use the server or its database. */
export async function checkServer(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{
    number: string
    version: string
    encoding: string
    standby: boolean
    readonly: string
    schema: string | null
  }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
       current_setting('transaction_read_only') as readonly, current_schema() as schema`,
  )
  const [server] = rows
  if (!server) throw new Error('PostgreSQL says nothing of itself.')
  const { number, version, encoding, standby, readonly, schema } = server
  if (standby) {
    throw new UnusableDatabase(
      'The server of DATABASE_URL is a standby, and nothing can be written there. Set the address of the primary.',
    )
  }
  if (Number(number) < oldestServer) {
    throw new UnusableDatabase(
      `The server of DATABASE_URL is PostgreSQL ${version}; Linnet needs 15 or newer. Update it, or set another.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `The database of DATABASE_URL keeps texts as ${encoding}; Linnet needs UTF8. Create one with: createdb --encoding=UTF8 --template=template0`,
    )
  }
  if (readonly === 'on') {
    throw new UnusableDatabase(
      'The user of DATABASE_URL may only read: default_transaction_read_only is on. Switch it off for this user and database.',
    )
  }
  if (schema === null) {
    throw new UnusableDatabase(
      'The user of DATABASE_URL has no schema for tables. Create one that search_path names, or correct search_path.',
    )
  }
  await expectOwnConnection(client, url)
}

async function expectWhole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string | null }>('select to_regclass($1) as table', [
    tableOfMove,
  ])
  if (!rows[0]?.table) return
  throw new UnusableDatabase(
    'Not everything was moved to the database of DATABASE_URL yet. Run linnet migrate-to again, with the settings and the address that you ran it with.',
  )
}

/** Returns the version of the schema, or 0 if there is none. Tables of other programs stay as they are. */
async function checkTables(client: pg.Client, newest: number): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relname in ('meta', 'accounts', 'links', 'short_codes')`,
  )
  if (rows.length === 0) return 0
  const version = await versionIn(client)
  if (version === 0) {
    throw new UnusableDatabase(
      'The database of DATABASE_URL has tables of another program. Give Linnet an empty one of its own.',
    )
  }
  if (version <= newest) return version
  throw new UnusableDatabase(
    `The database of DATABASE_URL was written by a newer Linnet (schema ${version}; this version knows up to ` +
      `${newest}). Start the newer version, or restore the dump that was made before the update.`,
  )
}

async function versionIn(client: pg.Client): Promise<number> {
  const { rows: tables } = await client.query<{ columns: string }>(
    `select count(*) as columns from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relname = 'meta' and attname in ('key', 'value')`,
  )
  if (Number(tables[0]?.columns) !== 2) return 0
  const { rows } = await client.query<{ value: string }>('select value from meta where key = $1', [
    versionKey,
  ])
  return Number(rows[0]?.value ?? 0)
}

interface Serving {
  readonly version: string
  readonly baseUrl: string
  /** The version of the schema that it needs. */
  readonly newest: number
}

async function openPrepared(url: string, server: Serving | undefined): Promise<Storage> {
  const clients = createClients({ url, prepareWriter: server && serveSchema(server.newest) })
  const parts = kyselyOn(clients)
  const { db, gate, damage } = parts
  let heard: HeardNews | undefined
  try {
    await clients.writer()
    heard = server && (await hearNews({ url, ...server, onSilence: clients.letGo }))
  } catch (error) {
    await parts.close()
    throw error
  }
  return {
    db,
    address: { url },
    file: undefined,
    findLink: createFindLink(clients),
    writeTrouble: gate.trouble,
    async canFollow() {
      try {
        for (const sql of followed) await clients.find({ sql })
        return true
      } catch (error) {
        damage.report(error)
        return false
      }
    },
    // The database itself tells of what was committed, even if nobody here knows whether it was.
    onFailedFlush: () => undefined,
    news: heard ?? { ...noNews, tell },
    tally: createTally(clients),
    locks: createLocks(url),
    damage,
    lostPages: 0,
    async close() {
      await heard?.close()
      await parts.close()
    },
  }
}

/** Keeps the schema at this version for as long as this process serves; others of the same version may serve too. */
function serveSchema(needed: number): (client: pg.Client) => Promise<void> {
  return async client => {
    await client.query(`select pg_advisory_lock_shared(${lockOf.serve})`)
    const version = await versionIn(client)
    if (version === needed) return
    throw new UnusableDatabase(
      `The database of DATABASE_URL was updated by a newer Linnet (schema ${version}; this version needs ` +
        `${needed}). Update this server as well.`,
    )
  }
}

/** Makes sure that nobody serves with the old schema while it changes. */
async function keepServersOut(client: pg.Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${serversMs}`)
    await client.query(`select pg_advisory_lock(${lockOf.serve})`)
    await client.query('reset lock_timeout')
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || cause.code !== '55P03') throw cause
    throw new UnusableDatabase(
      'A server with an older Linnet is using the database of DATABASE_URL, and this version changes the schema. Stop all servers of the older version first.',
      { cause },
    )
  }
}

/** How long to wait for servers of an older version, in milliseconds. */
const serversMs = 5_000

/** Finds all codes that are requested together. */
const linksSql = `
  select place, links.id, links.account_id, links.domain, links.short_code, original_url, fields, guarded_by, version, plan, links_closed
  from unnest($1::text[], $2::text[]) with ordinality as asked(host, name, place)
  join short_codes on short_codes.domain = asked.host and short_codes.code = asked.name
  join links on links.id = short_codes.link_id
  join accounts on accounts.id = links.account_id`

function createFindLink(clients: Clients): Storage['findLink'] {
  return findLinksTogether(async all => {
    const parameters = [all.map(({ domain }) => domain), all.map(({ code }) => code)]
    const { rows } = await clients.find({ sql: linksSql, parameters })
    const found = new Map(rows.map(({ place, ...link }) => [place, link as FoundLink]))
    return all.map((_, index) => found.get(index + 1))
  }, finders)
}

function kyselyOn(clients: Clients) {
  const damage = createDamage('Stop Linnet and restore a dump: see docs/scaling.md')
  const gate = createWriteGate(() => false)
  const db = new Kysely<Schema>({ dialect: postgresDialect({ clients, gate, damage }) })
  return {
    db,
    gate,
    damage,
    async close() {
      await ended(db)
      await clients.close()
    },
  }
}
