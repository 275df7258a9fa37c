import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { inTransaction, type Storage } from '../core/storage/database.ts'
import { openPostgres } from '../core/storage/open/postgres.ts'

/** Databases that tests no longer use: creating one takes far longer than emptying one. */
const free: string[] = []

interface Opened {
  readonly url: string
  readonly storage: Storage
  /** How many tests have had it. */
  readonly uses: number
}

/** Some that are still open: connecting again takes longer than most tests. */
const waiting: { readonly opened: Opened; readonly closing: NodeJS.Timeout }[] = []

/** How long one waits for the next test, in milliseconds: the process does not end meanwhile. */
const idleMs = 500

/** Then its connections are made anew, because the server keeps all statements that were prepared on them. */
const maxUses = 25

/** Opens an empty database for one test on a PostgreSQL server. */
export async function openOnServer(server: string): Promise<Storage> {
  const opened = reuse() ?? (await open(server))
  let closing: Promise<void> | undefined
  return {
    ...opened.storage,
    close() {
      closing ??= leave(opened)
      return closing
    },
  }
}

function reuse(): Opened | undefined {
  const last = waiting.pop()
  if (last === undefined) return undefined
  clearTimeout(last.closing)
  return { ...last.opened, uses: last.opened.uses + 1 }
}

async function open(server: string): Promise<Opened> {
  const url = free.pop() ?? (await create(server))
  return { url, storage: await openPostgres(url), uses: 1 }
}

async function leave(opened: Opened): Promise<void> {
  // A database that a test has damaged is not used again.
  const isSound = await empty(opened.storage).catch(() => false)
  if (!isSound) return opened.storage.close()
  if (opened.uses === maxUses) return close(opened)
  const closing = setTimeout(() => {
    waiting.splice(
      waiting.findIndex(it => it.opened === opened),
      1,
    )
    void close(opened)
  }, idleMs)
  waiting.push({ opened, closing })
}

async function close({ url, storage }: Opened): Promise<void> {
  await storage.close()
  free.push(url)
}

/** The address of a new database that nobody else uses; it is removed with the server. */
export async function create(server: string): Promise<string> {
  const name = `linnet_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  // Copying files takes half as long as writing them to the log.
  await client.query(`create database ${name} strategy file_copy`)
  await client.end()
  return server.replace(/[^/]*$/, name)
}

/** Deletes all rows and the tables of plugins, but keeps the schema. False if it is damaged. */
async function empty({ db, damage }: Storage): Promise<boolean> {
  if (damage.found() !== undefined) return false
  return inTransaction(db, async tx => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const { rows } = await sql<{ name: string; kind: 'table' | 'function' }>`
      select tablename as name, 'table' as kind from pg_tables where schemaname = 'public'
      union all
      select proname, 'function' from pg_proc
      where pronamespace = 'public'::regnamespace and proname <> 'linnet_tell'`.execute(tx)
    if (core.some(name => !rows.some(it => it.name === name))) return false
    const statements = rows.map(({ name, kind }) => {
      if (name === 'meta') return `delete from meta where key <> 'schema'`
      return core.includes(name) ? `delete from "${name}"` : `drop ${kind} "${name}" cascade`
    })
    const restarts = numbered.map(name => `alter table ${name} alter column id restart`)
    await sql.raw(`do $$ begin ${[...statements, ...restarts].join(';')}; end $$`).execute(tx)
    return true
  })
}

const numbered = ['accounts', 'api_tokens', 'links', 'outbox', 'visit_batches', 'visit_names']

const core = [
  ...numbered,
  ...[
    'meta',
    'sessions',
    'identities',
    'account_steps',
    'used_tickets',
    'one_time_links',
    'usage',
    'short_codes',
    'code_rules',
    'link_texts',
    'link_totals',
  ],
  ...['link_counts', 'account_counts', 'link_sketches', 'account_sketches', 'account_values'],
  ...['counts_to_remove', 'limit_uses', 'event_listeners'],
  ...['visit_imports', 'deleted_links'],
  ...['job_runs', 'plugin_migrations', 'plugin_store', 'idempotency_keys', 'idempotency_made'],
]
