import type { Address, Storage } from '../database.ts'
import { learnListeners } from '../outbox.ts'
import type { OpenOptions } from './postgres.ts'
import { joinSqlite, openSqlite } from './sqlite.ts'

/** Open a database and bring its schema up to date. The PostgreSQL client is only loaded if it is needed. */
export async function openDatabase(address: Address, options: OpenOptions): Promise<Storage> {
  const storage = await open(address, options)
  await learnListeners(storage.db)
  return storage
}

async function open(address: Address, options: OpenOptions): Promise<Storage> {
  if ('file' in address) {
    const { serves = false, history } = options
    return openSqlite(address.file, { serves, ...(history && { history }) })
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(address.url, options)
}

/** A separate connection to a database that is open, for another thread or a command: no migrations, no checks. */
export async function joinDatabase(address: Address): Promise<ReturnType<typeof joinSqlite>> {
  if ('file' in address) return joinSqlite(address.file)
  const { joinPostgres } = await import('./postgres.ts')
  return joinPostgres(address.url)
}

/** Throws a sentence if the database on a server could not be opened; changes nothing. */
export async function inspectServer(url: string): Promise<void> {
  const { inspectPostgres } = await import('./postgres.ts')
  await inspectPostgres(url)
}
