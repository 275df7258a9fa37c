import pg from 'pg'
import { onTestFinished } from 'vitest'
import { url } from './own-server.ts'

/** A client that may connect to the database but is not Linnet, and the news that it hears. */
export async function stranger() {
  const owner = await connect('linnet')
  await owner.query(`do $$ begin create role stranger login; exception when others then end $$`)
  const client = await connect('stranger')
  const told: string[] = []
  client.on('notification', ({ payload = '' }) => told.push(payload))
  await client.query('listen linnet')
  const tellAs = (who: pg.Client) => (payload: string) =>
    who.query('select pg_notify($1, $2)', ['linnet', payload])
  return { told, tell: tellAs(client), tellAsOwner: tellAs(owner) }
}

async function connect(user: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.replace('linnet@', `${user}@`) })
  client.on('error', () => undefined)
  onTestFinished(() => client.end())
  await client.connect()
  return client
}
