import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { type ColumnDefinitionBuilder, Kysely } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { yieldToRedirects } from '../../../../core/lib/async/yield-to-redirects.ts'
import { inTransaction } from '../../../../core/storage/database.ts'
import { sqliteDialect } from '../../../../core/storage/open/sqlite-dialect.ts'
import type { Schema } from '../../../../core/storage/schema.ts'

let ran: string[]
let writer: BetterSqlite3.Database
let db: Kysely<Schema>

beforeEach(() => {
  ran = []
  writer = new BetterSqlite3(':memory:', { verbose: sql => ran.push(String(sql)) })
  writer.exec(`
    create table meta (key text primary key, value text references meta);
    create trigger full before insert on meta when new.key = 'too much'
    begin select raise(rollback, 'the disk is full'); end;
    pragma foreign_keys = on`)
  db = new Kysely({ dialect: sqliteDialect({ writer }) })
})

const insert = (key: string, value: string | null = null) =>
  db
    .insertInto('meta')
    .values({ key, value: value as string })
    .execute()
/** Write two rows, so that one is there when the other fails. */
const insertBoth = (one: string, other: string) =>
  inTransaction(db, async tx => {
    for (const key of [one, other]) {
      await tx
        .insertInto('meta')
        .values({ key, value: null as never })
        .execute()
    }
  })
const makeTable = () =>
  db.schema
    .createTable('later')
    .addColumn('key', 'text')
    .addForeignKeyConstraint('to_meta', ['key'], 'meta', ['key'], it => it.initiallyDeferred())
const insertOrUndoAll = () =>
  db
    .insertInto('meta')
    .orRollback()
    .values({ key: 'a', value: null as never })
const keys = () => writer.prepare('select key from meta order by rowid').pluck().all()
const commits = () => ran.filter(sql => sql === 'commit').length
/** What became of each: the message of what failed. */
const outcomes = async (works: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map(it =>
    it.status === 'fulfilled' ? 'done' : it.reason.message,
  )

describe('those who write at the same moment', () => {
  it('share one commit', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map(key => insert(key)))
    expect(keys()).toEqual(['a', 'b', 'c', 'd'])
    expect(commits()).toBe(1)
  })

  it('share it also where each has a turn of the event loop to itself', async () => {
    const works = ['a', 'b', 'c'].map(async key => {
      await yieldToRedirects()
      await insert(key)
    })
    await Promise.all(works)
    expect([keys(), commits()]).toEqual([['a', 'b', 'c'], 1])
  })

  it('are 32 at most, so that others have the lock in between', async () => {
    await Promise.all(Array.from({ length: 70 }, (_, number) => insert(`${number}`)))
    expect([keys().length, commits()]).toEqual([70, 3])
  })

  it('do not wait for ever for others who are at work', async () => {
    let isDone = false
    const work = async () => {
      while (!isDone) await yieldToRedirects()
    }
    const others = [work(), work()]
    await insert('a')
    isDone = true
    await Promise.all(others)
    expect(commits()).toBe(1)
  })

  it('fail alone', async () => {
    const taken = 'UNIQUE constraint failed: meta.key'
    const works = [
      insert('a'),
      insertBoth('b', 'a'),
      insert('c'),
      insertBoth('d', 'd'),
      insert('e'),
    ]
    expect(await outcomes(works)).toEqual(['done', taken, 'done', taken, 'done'])
    expect([keys(), commits()]).toEqual([['a', 'c', 'e'], 1])
  })

  it('fail alone also who comes first', async () => {
    const works = [insertBoth('a', 'a'), insert('b')]
    expect((await outcomes(works))[1]).toBe('done')
    expect(keys()).toEqual(['b'])
  })

  it('fail alone at a reference that leads nowhere', async () => {
    const failed = 'FOREIGN KEY constraint failed'
    const works = [insert('a'), insert('b', 'missing'), insert('c', 'a')]
    expect(await outcomes(works)).toEqual(['done', failed, 'done'])
    expect([keys(), commits()]).toEqual([['a', 'c'], 1])
  })

  it.each([
    ['a reference that is looked at when they commit', 'deferred', () => makeTable().execute()],
    [
      'a statement that undoes the whole transaction',
      'rollback',
      () => insertOrUndoAll().execute(),
    ],
  ])('cannot be made to fail with another: %s is refused', async (_, word, refused) => {
    const why = `A statement must not say ${word}: what others write at the same moment would fail with it.`
    expect(await outcomes([insert('a'), refused(), insert('b')])).toEqual(['done', why, 'done'])
    expect([keys(), commits()]).toEqual([['a', 'b'], 1])
  })

  it('may use what a statement must not say as a name, and as a text', async () => {
    const inTheEnd = (c: ColumnDefinitionBuilder) => c.defaultTo('rollback')
    await db.schema.createTable('later').addColumn('deferred', 'text', inTheEnd).execute()
    expect(writer.pragma('table_info(later)')).toMatchObject([
      { name: 'deferred', dflt_value: "'rollback'" },
    ])
  })

  it('are told when SQLite undoes what they have done, as when the disk is full, and those who come later go on', async () => {
    const full = 'the disk is full'
    const works = [insert('a'), insertBoth('b', 'too much'), insert('c')]
    expect(await outcomes(works)).toEqual([full, full, 'done'])
    expect(keys()).toEqual(['c'])
  })
})

it('all who share a commit are told when the disk itself fails it, and those who come later are not', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'linnet-writing-')), 'linnet.db')
  const own = new BetterSqlite3(file, { timeout: 0 })
  own.exec('create table meta (key text primary key, value text)')
  const shared = new Kysely<Schema>({ dialect: sqliteDialect({ writer: own }) })
  const add = (key: string) => shared.insertInto('meta').values({ key, value: '' }).execute()
  // Without a write-ahead log a commit goes into the file itself, which it cannot while somebody reads there.
  const other = new BetterSqlite3(file)
  const reading = other.prepare('select 1 from sqlite_schema').iterate()
  reading.next()
  const failed = 'database is locked'
  expect(await outcomes([add('a'), add('b'), add('c')])).toEqual([failed, failed, failed])
  reading.return?.()
  other.close()
  await add('d')
  expect(own.prepare('select key from meta').pluck().all()).toEqual(['d'])
  own.close()
  rmSync(dirname(file), { recursive: true })
})

it('a lone writer needs no more than one that begins and commits', async () => {
  ran = []
  await insert('a')
  expect(ran.map(sql => sql.split(' ')[0])).toEqual(['begin', 'insert', 'commit'])
})

it('nobody can write in a transaction that they have left', async () => {
  let late: Promise<string> | undefined
  await Promise.all([
    inTransaction(db, async tx => {
      const leftBehind = tx.insertInto('meta').values({ key: 'late', value: null as never })
      late = yieldToRedirects()
        .then(() => leftBehind.execute())
        .then(
          () => 'done',
          error => error.message,
        )
    }),
    insert('b'),
  ])
  expect(await late).toBe('The transaction has ended.')
  expect(keys()).toEqual(['b'])
})
