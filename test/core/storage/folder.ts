import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../core/storage/database.ts'
import { openSqlite } from '../../../core/storage/open/sqlite.ts'

/** The path of a database in a folder that is gone when the test ends. */
export function aDatabasePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-storage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'linnet.db')
}

/** An open database in such a folder, closed when the test ends. */
export async function anOpenDatabase() {
  const file = aDatabasePath()
  const storage = await openSqlite(file)
  onTestFinished(() => storage.close())
  return { file, db: storage.db }
}

/** Make a database that says something, and leave it closed. */
export async function makeDatabase(file: string, says: string): Promise<void> {
  const storage = await openSqlite(file)
  await say(storage.db, says)
  await storage.close()
}

/** Write something that `said` finds. */
export async function say(db: Database, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: 'says', value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** What a database says, its log included. */
export function said(file: string): unknown {
  const raw = new BetterSqlite3(file, { fileMustExist: true })
  try {
    return raw.prepare(`select value from meta where key = 'says'`).pluck().get()
  } finally {
    raw.close()
  }
}
