import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import { linnet, root, temporaryFolder } from '../e2e/program.ts'
import { url } from './own-server.ts'

/** A data folder with the database of this fixture. */
export function folderWith(fixture: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'linnet.db'), gunzipSync(readFileSync(join(root, fixture))))
  return folder
}

export const newest = 'test/fixtures/schema-1.db.gz'

/** Moves a data folder into a database on the server, by default the empty one of this test. */
export const toServer = (folder: string, to = url) =>
  linnet(['migrate-to', to], { env: { LINNET_DATA_DIR: folder } })
/** Moves the database of this test into a folder. */
export const toFolder = (to: string, dataDir = temporaryFolder()) =>
  linnet(['migrate-to', to], { env: { LINNET_DATA_DIR: dataDir, DATABASE_URL: url } })

/** Runs SQL on the database in a data folder. */
export function change(folder: string, sql: string): void {
  const database = new BetterSqlite3(join(folder, 'linnet.db'))
  database.exec(sql)
  database.close()
}

/** Everything in a database: its tables as created, their rows, and the last ids given. */
export function contentOf(folder: string) {
  const database = new BetterSqlite3(join(folder, 'linnet.db'), { readonly: true })
  const read = (sql: string) => database.prepare(sql).all() as { name: string }[]
  const tables = read(`select * from sqlite_master where sql is not null order by name`)
  const content = tables
    .filter(it => (it as { type?: string }).type === 'table' && it.name !== 'sqlite_sequence')
    .map(({ name }) => [
      name,
      read(`select * from "${name}"`)
        .map(row => JSON.stringify(row))
        .sort(),
    ])
  const numbers = read('select name, seq from sqlite_sequence order by name')
  database.close()
  const made = tables.map(it => (it as { sql?: string }).sql)
  return { made: made.sort(), numbers, rows: Object.fromEntries(content) }
}

/** Queries the database of this test. */
export async function ask(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
