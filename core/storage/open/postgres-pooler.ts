import pg from 'pg'
import { UnusableDatabase } from '../files/inspect-file.ts'

const tries = 3

/**
 * Throws a sentence if a pooler shares one connection of the server among several clients, one transaction each:
 * locks, prepared statements and news belong to a connection. While another client is in a transaction, `client` must
 * still be answered by the same server process as before, and the other client by a different one.
 */
export async function expectOwnConnection(client: pg.Client, url: string): Promise<void> {
  const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs })
  other.on('error', () => undefined)
  try {
    const ours = await processOf(client)
    await other.connect()
    await other.query('begin').catch(throwForPooler)
    const processes = new Set([ours])
    for (let time = 0; time < tries; time += 1) processes.add(await processOf(client))
    if (processes.size === 1 && (await processOf(other)) !== ours) return
  } finally {
    await other.end()
  }
  throw inTheWay('transaction')
}

/** In statement mode a pooler refuses whole transactions, as a breach of the protocol. */
function throwForPooler(error: unknown): never {
  if (!(error instanceof pg.DatabaseError) || error.code !== '08P01') throw error
  throw inTheWay('statement')
}

function inTheWay(mode: 'transaction' | 'statement'): UnusableDatabase {
  return new UnusableDatabase(
    `A pooler in ${mode} mode is between Linnet and the server of DATABASE_URL: locks, prepared statements and LISTEN ` +
      'do not work through it. Connect to PostgreSQL itself, or set the pooler to session mode.',
  )
}

const connectMs = 5_000

async function processOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ process: number }>('select pg_backend_pid() as process')
  return rows[0]?.process
}
