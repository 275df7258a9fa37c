import pg from 'pg'
import { UserError } from '../../lib/user-error.ts'
import { lockOf } from './postgres-dialect.ts'
import { failureOfServer, whyNotOpened, withoutSecrets } from './postgres-failure.ts'

/** Throws if a Linnet serves from the database, on this machine or another. */
export async function expectNoServer(url: string): Promise<void> {
  let keeper: pg.Client | undefined
  try {
    keeper = await connectKeeper(url)
    await keepFromServing(keeper, url)
  } catch (error) {
    throw error instanceof UserError ? error : whyNotOpened(error, withoutSecrets(url))
  } finally {
    await keeper?.end()
  }
}

/** A connection that holds locks, and runs what must run on one connection. */
export async function connectKeeper(url: string): Promise<pg.Client> {
  const keeper = new pg.Client({
    connectionString: url,
    application_name: 'linnet',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  keeper.on('error', () => undefined)
  await keeper.connect()
  await keeper.query(`set lock_timeout = ${lockMs}`)
  return keeper
}

/** How long a connection that was just lost may still hold a lock, in milliseconds. */
const lockMs = 5_000

/** Lets no server begin while the connection is open. Throws a `UserError` if one serves. */
export async function keepFromServing(keeper: pg.Client, url: string): Promise<void> {
  await lock(keeper, 'serve', `A Linnet server is using ${withoutSecrets(url)}. Stop it first.`)
}

/** Takes a lock. Throws a `UserError` that says who has it. */
export async function lock(
  keeper: pg.Client,
  what: keyof typeof lockOf,
  taken: string,
): Promise<void> {
  try {
    await keeper.query(`select pg_advisory_lock(${lockOf[what]})`)
  } catch (cause) {
    const isTaken = cause instanceof pg.DatabaseError && cause.code === '55P03'
    throw isTaken ? new UserError(taken, { cause }) : failureOfServer(cause)
  }
}
