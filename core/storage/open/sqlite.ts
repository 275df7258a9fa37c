import { existsSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import { copyBeforeMigrating } from '../backups/backup.ts'
import { finishRestore } from '../backups/restore.ts'
import type { Database, Storage } from '../database.ts'
import { boundPages } from '../files/bound-pages.ts'
import { createDamage, isDamage } from '../files/damage.ts'
import { damaged, inspectFile, UnusableDatabase } from '../files/inspect-file.ts'
import { keepLogShort } from '../files/keep-log-short.ts'
import { createLogFlush, flushedBySqlite } from '../files/log-flush.ts'
import { watchLog } from '../files/log-loss.ts'
import { type Reserve, reserveOf } from '../files/reserve.ts'
import { type News, noNews } from '../news.ts'
import type { Schema } from '../schema.ts'
import { newestOf, type SchemaHistory, sqliteHistory } from '../tables.ts'
import { createFindLink, followed } from './find-links-together.ts'
import { ended } from './lend-connections.ts'
import { migrate } from './migrate.ts'
import { type SqliteParts, sqliteDialect } from './sqlite-dialect.ts'
import { hearCommands, tellServer } from './sqlite-news.ts'
import { createWriteGate } from './write-gate.ts'

/** 'LNNT': marks a file as ours, https://sqlite.org/fileformat2.html#application_id */
const applicationId = 0x4c4e4e54

/** What the header of a Linnet file says. */
export const expectedFile = { applicationId, newest: newestOf(sqliteHistory) }

/**
 * Open the SQLite database in `file`, bring its schema up to date and keep it durable: what was committed survives a
 * power cut. If the file is damaged, foreign or newer, throws a sentence with the remedy and leaves it as it is.
 */
export async function openSqlite(
  file: string,
  {
    history = sqliteHistory,
    now = Date.now,
    serves = true,
  }: { history?: SchemaHistory; now?: () => number; serves?: boolean | undefined } = {},
): Promise<Storage> {
  await finishRestore(file)
  if (!existsSync(file)) await createFile(file, history)
  const found = inspectFile(file, { applicationId, newest: newestOf(history) })
  try {
    return await openFound(file, found, { history, serves }, now())
  } catch (error) {
    if (isDamage(error)) throw damaged(file, (error as Error).message)
    throw lacksTables(error) ? otherTables(file, error.message) : error
  }
}

/** Before the first release, builds of the same version could have other tables. */
function lacksTables(error: unknown): error is Error {
  return error instanceof BetterSqlite3.SqliteError && /^no such (table|column)/.test(error.message)
}

function otherTables(file: string, why: string): UnusableDatabase {
  return new UnusableDatabase(
    `${file} was made by another build of this version, from before its release: ${why}. It stays as it is. Open it with that build, ` +
      'export all of it (linnet export), and import that into a new data folder (linnet import linnet).',
  )
}

interface HowToOpen {
  readonly history: SchemaHistory
  /** Whether this process is a server: then it hears what commands change, and otherwise it tells the server. */
  readonly serves: boolean
}

async function openFound(
  file: string,
  found: { readonly version: number },
  how: HowToOpen,
  now: number,
): Promise<Storage> {
  const { history } = how
  if (found.version < newestOf(history)) {
    const version = versionOf(file)
    if (version < newestOf(history)) await copyBeforeMigrating(file, version, now)
  }

  const reserve = reserveOf(file)
  // What was spent is filled again by whoever finds room: nobody else may come who would.
  if (reserve.isSpent()) await reserve.fill()
  try {
    return await openChecked(file, how, reserve)
  } catch (error) {
    // Without space for the index of its log, a database cannot even be read.
    if (!(await reserve.helps(error)) || !reserve.spend()) throw error
    return openChecked(file, how, reserve)
  }
}

/** The version of the schema, which may be in the log and not yet in the header of the file. */
function versionOf(file: string): number {
  const connection = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
  try {
    return connection.pragma('user_version', { simple: true }) as number
  } finally {
    connection.close()
  }
}

async function openChecked(
  file: string,
  { history, serves }: HowToOpen,
  { isSpent }: Reserve,
): Promise<Storage> {
  const lostPages = checkBeforeWriting(file)
  const connection = connect(file)
  await migrateSqlite(
    new Kysely({ dialect: sqliteDialect({ writer: connection }) }),
    connection,
    history,
  )
  // A separate reader sees what is committed, never a transaction under way, and waits for nobody.
  const reader = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
  boundPages(reader)
  const gate = createWriteGate(isSpent)
  const damage = createDamage()
  const logFlush = createLogFlush(file)
  prepareForMany(connection)
  const news = serves ? hearCommands(reader) : tellServer(connection)
  const parts = { writer: connection, reader, gate, damage, logFlush, news }
  return { ...storage(parts, file), lostPages }
}

/**
 * Checks whether links can be followed, on a connection that cannot write: if they cannot, the file stays as it is,
 * because another connection would copy the log into it. Returns how many pages of the log were lost.
 */
function checkBeforeWriting(file: string): number {
  const log = watchLog(file)
  const connection = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
  try {
    // A database that is just being created has no tables yet.
    if (connection.pragma('user_version', { simple: true }) !== 0) {
      for (const sql of followed) connection.prepare(sql).get()
    }
    return log.lostPages()
  } finally {
    connection.close()
  }
}

/** A database without a file, for tests: a copy of one that was made before. */
export function openSqliteInMemory(made: Buffer): Storage {
  const writer = connect(made)
  const gate = createWriteGate(() => false)
  return storage({ writer, gate, damage: createDamage(), logFlush: flushedBySqlite }, undefined)
}

/** Makes a database for tests to copy, with what `fill` adds to an empty one. */
export async function makeSqliteInMemory(fill: (db: Database) => Promise<void>): Promise<Buffer> {
  const writer = connect(':memory:')
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ writer }) })
  await migrateSqlite(db, writer, sqliteHistory)
  await fill(db)
  const content = writer.serialize()
  writer.close()
  return content
}

/** A second connection to an open database, for another thread: no migrations, no checks. */
export function joinSqlite(file: string): { db: Kysely<Schema>; close(): Promise<void> } {
  const writer = connect(file)
  const gate = createWriteGate(reserveOf(file).isSpent)
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ writer, gate }) })
  const leaveLog = keepLogShort(writer)
  return {
    db,
    async close() {
      leaveLog()
      await ended(db)
      writer.close()
    },
  }
}

/**
 * Another thread flushes: commits wait for it, but redirects do not. Nor does this thread copy the log into the file,
 * unless nobody else has done so for long. The undo data of savepoints stays in small pieces of memory: for a file,
 * SQLite allocates 64 KiB at each savepoint and frees them at its end.
 */
function prepareForMany(connection: BetterSqlite3.Database): void {
  connection.pragma('synchronous = NORMAL')
  connection.pragma('wal_autocheckpoint = 16000')
  connection.pragma('temp_store = MEMORY')
}

type ClosableNews = News & { close?(): void }

const unheard: ClosableNews = noNews

function storage(
  parts: Required<Omit<SqliteParts, 'reader'>> &
    Pick<SqliteParts, 'reader'> & { readonly news?: ClosableNews },
  file: string | undefined,
): Storage {
  const { writer, reader = writer, gate, damage, logFlush, news = unheard } = parts
  const db = new Kysely<Schema>({ dialect: sqliteDialect(parts) })
  const first = followed.map(sql => reader.prepare(sql))
  return {
    db,
    address: file === undefined ? undefined : { file },
    file,
    writeTrouble: gate.trouble,
    async canFollow() {
      try {
        for (const statement of first) damage.watch(() => statement.get())
        return true
      } catch {
        return false
      }
    },
    damage,
    news,
    tally: undefined,
    onFailedFlush: logFlush.onFailed,
    lostPages: 0,
    findLink: createFindLink(reader, damage),
    async close() {
      news.close?.()
      await ended(db)
      await logFlush.close()
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
}

function connect(file: string | Buffer): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: 0 })
  try {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    boundPages(connection)
    connection.pragma('trusted_schema = OFF')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** What a database is called while it is moved to this file. */
export const unfinishedMove = (file: string): string => `${file}.moving`

/** Throws a sentence if an interrupted move would be taken for an empty folder. */
export function expectNoMove(file: string): void {
  const moved = unfinishedMove(file)
  if (!existsSync(moved)) return
  throw new UnusableDatabase(
    `Not everything was moved to ${file} yet. Run linnet migrate-to again, with the settings and the folder that you ran it with; or, to ` +
      `begin with an empty database, remove ${moved} and all files whose names begin with it.`,
  )
}

/** Creates the file under another name first, so that a crash never leaves a half-made database behind. */
async function createFile(file: string, history: SchemaHistory): Promise<void> {
  expectNoMove(file)
  const unfinished = `${file}.new`
  for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true })
  const connection = connect(unfinished)
  connection.pragma(`application_id = ${applicationId}`)
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ writer: connection }) })
  await migrateSqlite(db, connection, history)
  // The last connection to close writes the log into the file and removes it.
  connection.close()
  await rename(unfinished, file)
}

async function migrateSqlite(
  db: Kysely<Schema>,
  connection: BetterSqlite3.Database,
  history: SchemaHistory,
): Promise<void> {
  await migrate(db, history, {
    version: async () => connection.pragma('user_version', { simple: true }) as number,
    setVersion: async version => {
      connection.pragma(`user_version = ${version}`)
    },
  })
}
