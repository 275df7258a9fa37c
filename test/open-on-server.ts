import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Storage } from '../core/storage/database.ts'
import { openPostgres } from '../core/storage/open/postgres.ts'

/** Databases that tests no longer use: creating one takes far longer than emptying one. */
const free: string[] = []

/** Opens an empty database for one test on a PostgreSQL server. */
export async function openOnServer(server: string): Promise<Storage> {
  const url = free.pop() ?? (await create(server))
  const storage = await openPostgres(url)
  const close = async () => {
    await storage.close()
    // A database whose schema a test has damaged is not used again.
    if (await empty(url)) free.push(url)
  }
  let closing: Promise<void> | undefined
  return {
    ...storage,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** The address of a new database that nobody else uses; it is removed with the server. */
export async function create(server: string): Promise<string> {
  const name = `linnet_${randomUUID().replaceAll('-', '')}`
  await withClient(server, client => client.query(`create database ${name}`))
  return server.replace(/[^/]*$/, name)
}

/** Deletes all rows and the tables of plugins, but keeps the schema. False if the schema is damaged. */
async function empty(url: string): Promise<boolean> {
  return withClient(url, async client => {
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query<{ name: string; ours: boolean }>(
      `select tablename as name, tablename = any($1) as ours from pg_tables where schemaname = 'public'`,
      [core],
    )
    if (core.some(name => !rows.some(it => it.name === name))) return false
    const { rows: functions } = await client.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
         and proname <> 'linnet_tell'`,
    )
    const dropped = functions.map(({ name }) => `drop function "${name}" cascade`)
    const statements = rows.map(({ name, ours }) =>
      ours ? `delete from "${name}"` : `drop table "${name}" cascade`,
    )
    const [version] = (await client.query(`select value from meta where key = 'schema'`)).rows
    const restarts = numbered.map(name => `alter table ${name} alter column id restart`)
    await client.query([...dropped, ...statements, ...restarts].join(';'))
    await client.query(`insert into meta values ('schema', $1)`, [version?.value])
    return true
  })
}

const numbered = ['accounts', 'api_tokens', 'links', 'visit_batches', 'visit_names']

const core = [
  ...numbered,
  ...['meta', 'sessions', 'one_time_links', 'usage', 'short_codes', 'link_texts', 'link_totals'],
  ...[
    'link_counts',
    'account_counts',
    'link_sketches',
    'account_sketches',
    'account_values',
    'counts_to_remove',
  ],
  ...['job_runs', 'plugin_migrations', 'plugin_store', 'idempotency_keys', 'idempotency_made'],
]

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
