import BetterSqlite3 from 'better-sqlite3'
import { boundPages } from './bound-pages.ts'

/** What SQLite says about all pages of a database: `ok`, or the first fault. */
export function integrityOf(file: string): string {
  const connection = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
  try {
    boundPages(connection)
    return String(connection.pragma('integrity_check(1)', { simple: true })).replace(/\s+/g, ' ')
  } catch (error) {
    return (error as Error).message
  } finally {
    connection.close()
  }
}

/** Throws what is wrong with a database. */
export async function expectWhole(file: string): Promise<void> {
  const verdict = integrityOf(file)
  if (verdict !== 'ok') throw new Error(verdict)
}
