import pg from 'pg'
import type { Locks } from '../database.ts'
import { failureOfServer } from './postgres-failure.ts'

/** 'LNNU'; the second number is a hash of the name. */
const kind = 1_280_200_277

/** A machine that disappears is noticed after 25 seconds, and its locks are released. */
const keepalive =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

const connectMs = 5_000

/** Each lock is held by a connection of its own, and is released when that ends, for whatever reason. */
export function createLocks(url: string): Locks {
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'linnet lock',
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
      keepAlive: true,
    })
    // A holder that loses its connection goes on: nobody else needs to know.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async function withClient<T>(use: (client: pg.Client, end: () => Promise<void>) => Promise<T>) {
    try {
      const client = await connect()
      const end = () => client.end().catch(() => undefined)
      try {
        return await use(client, end)
      } catch (error) {
        await end()
        throw error
      }
    } catch (error) {
      throw failureOfServer(error)
    }
  }

  return {
    take: name =>
      withClient(async (client, end) => {
        await client.query(keepalive)
        const { rows } = await client.query<{ taken: boolean }>(
          `select pg_try_advisory_lock(${kind}, hashtext($1)) as taken`,
          [name],
        )
        if (rows[0]?.taken) return end
        await end()
        return undefined
      }),

    taken: names =>
      withClient(async (client, end) => {
        const { rows } = await client.query<{ name: string }>(
          `select name from unnest($1::text[]) as name join pg_locks
             on classid = ${kind} and objid = (hashtext(name)::bigint & 4294967295)::oid
           where locktype = 'advisory' and granted
             and database = (select oid from pg_database where datname = current_database())`,
          [names],
        )
        await end()
        return new Set(rows.map(row => row.name))
      }),
  }
}
