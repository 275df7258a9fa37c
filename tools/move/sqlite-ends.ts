import { existsSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import { syncFolder } from '../../core/lib/sync-folder.ts'
import { UserError } from '../../core/lib/user-error.ts'
import { hasDatabase } from '../../core/storage/backups/restore.ts'
import { belongsTo, tableOfMove } from '../../core/storage/meta.ts'
import { openSqlite, unfinishedMove } from '../../core/storage/open/sqlite.ts'
import { sqliteDialect } from '../../core/storage/open/sqlite-dialect.ts'
import type { Schema } from '../../core/storage/schema.ts'
import { type Column, type End, FinishedMove, type Source, type Target } from './ends.ts'
import { makeProgressTable, progressIn } from './progress.ts'

/** The database in a file, brought up to date; everybody else who writes to it waits. */
export async function openSqliteSource(file: string): Promise<Source> {
  await (await openSqlite(file)).close()
  const connection = new BetterSqlite3(file, { fileMustExist: true, timeout: 5_000 })
  connection.exec('begin immediate')
  return {
    ...endOn(connection),
    async numbers() {
      const rows = connection.prepare('select name, seq from sqlite_sequence').all()
      return new Map((rows as { name: string; seq: number }[]).map(({ name, seq }) => [name, seq]))
    },
    async expectUnchanged() {
      await Promise.resolve()
    },
  }
}

/**
 * A new database, under another name than `file` until it is complete; an interrupted move under that name continues.
 */
export async function openSqliteTarget(file: string, source: string): Promise<Target> {
  if (hasDatabase(file)) {
    const why = `There is already a database: ${file}. Name another folder, or move that file away with all files whose names begin with it.`
    const open = async () => endOn(new BetterSqlite3(file, { fileMustExist: true, readonly: true }))
    throw (await isOf(source, open)) ? new FinishedMove(why, open) : new UserError(why)
  }
  const unfinished = unfinishedMove(file)
  if (existsSync(unfinished) && !hasProgress(unfinished)) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true })
  }
  await (await openSqlite(unfinished)).close()
  const connection = new BetterSqlite3(unfinished)
  // References are checked at the end, and a move that did not reach its end is done again.
  connection.pragma('foreign_keys = OFF')
  connection.pragma('synchronous = NORMAL')
  const end = endOn(connection)
  if (!isThere(connection)) await makeProgressTable(end.db)
  await progressIn(end.db).start(
    source,
    `${unfinished} is left over from moving another instance. Remove it and all files whose names begin with it, or name another folder.`,
  )
  return {
    ...end,
    async clear() {
      const names = new Set((await end.columns()).map(({ table }) => table))
      for (const name of names) connection.exec(`delete from "${name}"`)
      await progressIn(end.db).setClear()
    },
    async finish(numbers) {
      expectReferences(connection)
      connection.transaction(() => {
        for (const [name, number] of numbers) if (number > 0) setNumber(connection, name, number)
        connection.exec(`drop table ${tableOfMove}`)
      })()
      connection.pragma('wal_checkpoint(TRUNCATE)')
      connection.close()
      await rename(unfinished, file)
      await syncFolder(dirname(file))
    },
  }
}

function endOn(connection: BetterSqlite3.Database): End {
  return {
    db: new Kysely<Schema>({ dialect: sqliteDialect({ writer: connection }) }),
    async columns() {
      const columns = connection.prepare<[string], Column>(columnsSql).all(tableOfMove)
      return Promise.resolve(columns)
    },
    async close() {
      connection.close()
      await Promise.resolve()
    },
  }
}

/** Whether a database is a Linnet's, and of the instance with this name. */
async function isOf(source: string, open: () => Promise<End>): Promise<boolean> {
  const end = await open()
  try {
    const isOurs = (await end.columns()).some(({ table }) => table === 'meta')
    return isOurs && (await belongsTo(end.db, source))
  } finally {
    await end.close()
  }
}

// The tables of Litestream belong to the file, and stay with it.
const columnsSql = `
  select tables.name as "table", columns.name as "column", columns.pk as place
  from sqlite_master tables, pragma_table_info(tables.name) columns
  where tables.type = 'table' and tables.name <> ?
    and tables.name not like 'sqlite\\_%' escape '\\' and tables.name not like '\\_litestream\\_%' escape '\\'
  order by tables.name, columns.cid`

function hasProgress(file: string): boolean {
  const connection = new BetterSqlite3(file)
  try {
    return isThere(connection)
  } finally {
    connection.close()
  }
}

function isThere(connection: BetterSqlite3.Database): boolean {
  const named = connection.prepare('select 1 from sqlite_master where name = ?')
  return named.get(tableOfMove) !== undefined
}

function expectReferences(connection: BetterSqlite3.Database): void {
  const [wrong] = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (wrong === undefined) return
  throw new UserError(
    `A row of ${wrong.table} refers to a row of ${wrong.parent} that does not exist. The database that was moved is unchanged: keep using it.`,
  )
}

/** Rows that were inserted with their number may have a larger one. */
function setNumber(connection: BetterSqlite3.Database, table: string, number: number): void {
  const before = connection.prepare('select seq from sqlite_sequence where name = ?').pluck()
  const largest = Math.max(number, Number(before.get(table) ?? 0))
  connection.prepare('delete from sqlite_sequence where name = ?').run(table)
  connection.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, largest)
}
