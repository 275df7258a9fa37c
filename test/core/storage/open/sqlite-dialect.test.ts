import BetterSqlite3 from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  inTransaction,
  inUnflushedTransaction,
  whenVisible,
} from '../../../../core/storage/database.ts'
import { flushedBySqlite, type LogFlush } from '../../../../core/storage/files/log-flush.ts'
import { isOutOfReach } from '../../../../core/storage/files/out-of-reach.ts'
import { sqliteDialect } from '../../../../core/storage/open/sqlite-dialect.ts'
import type { Schema } from '../../../../core/storage/schema.ts'

interface Waiting {
  resolve(): void
  reject(error: Error): void
}

/** A database with one table, whose flushes end when the test says so, and how. */
function withFlushes() {
  const writer = new BetterSqlite3(':memory:')
  writer.exec('create table meta (key text primary key, value text)')
  const underWay: Waiting[] = []
  const calls: string[] = []
  let isBroken = false
  const logFlush: LogFlush = {
    ...flushedBySqlite,
    flush() {
      return new Promise((resolve, reject) => underWay.push({ resolve, reject }))
    },
    needsMending: () => isBroken,
    async mend() {
      calls.push(`mended ${writer.inTransaction ? 'with' : 'without'} the write lock`)
      isBroken = false
    },
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ writer, logFlush }) })
  return {
    db,
    calls,
    insert: (key: string) => db.insertInto('meta').values({ key, value: '' }).execute(),
    insertInTransaction: (key: string) =>
      inTransaction(db, tx => tx.insertInto('meta').values({ key, value: '' }).execute()),
    keys: () =>
      writer
        .prepare('select key from meta order by rowid')
        .all()
        .map(row => (row as { key: string }).key),
    /** Resolves when so many flushes were asked for. */
    asked: (flushes: number) => expect.poll(() => underWay.length).toBe(flushes),
    end: (index: number) => underWay[index]?.resolve(),
    fail(index: number) {
      isBroken = true
      underWay[index]?.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }))
    },
    note: (name: string, work: Promise<unknown>) =>
      work.then(
        () => void calls.push(name),
        error => void calls.push(`${name} failed${isOutOfReach(error) ? ', out of reach' : ''}`),
      ),
  }
}

describe('a write', () => {
  it('is done when it is durable, and others write meanwhile', async () => {
    const { insert, insertInTransaction, keys, asked, end, note, calls } = withFlushes()
    const done = [note('a', insertInTransaction('a')), note('b', insert('b'))]
    await asked(2)
    expect(keys()).toEqual(['a', 'b'])
    expect(calls).toEqual([])
    end(1)
    await done[1]
    expect(calls).toEqual(['b'])
    end(0)
    await done[0]
    expect(calls).toEqual(['b', 'a'])
  })

  it('fails when it cannot be made durable, and takes nothing of others with it', async () => {
    const { db, insertInTransaction, keys, asked, fail, end, note, calls } = withFlushes()
    const first = note('a', insertInTransaction('a'))
    await asked(1)
    let goOn: () => void = () => undefined
    const midway = new Promise<void>(resolve => {
      goOn = resolve
    })
    const second = note(
      'b',
      inTransaction(db, async tx => {
        await tx.insertInto('meta').values({ key: 'b', value: '' }).execute()
        await midway
      }),
    )
    await expect.poll(keys).toEqual(['a', 'b'])
    fail(0)
    await first
    expect(calls).toEqual(['a failed, out of reach'])
    goOn()
    await asked(2)
    end(1)
    await second
    expect(keys()).toEqual(['a', 'b'])
  })

  it('is done after a flush that failed only when the log was mended', async () => {
    const { insert, insertInTransaction, asked, fail, end, note, calls } = withFlushes()
    for (const [round, write] of [insert, insertInTransaction].entries()) {
      const failing = note('first', write(`first ${round}`))
      await asked(2 * round + 1)
      fail(2 * round)
      await failing
      const next = note('next', write(`next ${round}`))
      await asked(2 * round + 2)
      end(2 * round + 1)
      await next
    }
    const inEach = ['first failed, out of reach', 'mended with the write lock', 'next']
    expect(calls).toEqual([...inEach, ...inEach])
  })
})

describe('what is to be done when something is seen', () => {
  it('is done before it is durable, once others can see it', async () => {
    const { db, keys, asked, end, note, calls } = withFlushes()
    const writing = note(
      'durable',
      inTransaction(db, async tx => {
        await whenVisible(tx, () => calls.push(`seen: ${keys()}`))
        await tx.insertInto('meta').values({ key: 'a', value: '' }).execute()
        calls.push('written')
      }),
    )
    await asked(1)
    expect(calls).toEqual(['written', 'seen: a'])
    end(0)
    await writing
    expect(calls).toEqual(['written', 'seen: a', 'durable'])
  })

  it('is to go on, where it is written in passing', async () => {
    const { db, keys, asked, fail, note, calls } = withFlushes()
    await note(
      'seen',
      inUnflushedTransaction(db, tx =>
        tx.insertInto('meta').values({ key: 'a', value: '' }).execute(),
      ),
    )
    expect([keys(), calls]).toEqual([['a'], ['seen']])
    // Who does not wait for it is told of no failure either: what is written next is.
    await asked(1)
    fail(0)
  })

  it('is never done when nothing comes of it', async () => {
    const { db, note, calls } = withFlushes()
    await note(
      'it',
      inTransaction(db, async tx => {
        await whenVisible(tx, () => calls.push('seen'))
        throw new Error('No.')
      }),
    )
    expect(calls).toEqual(['it failed'])
  })
})

describe('a value in a statement', () => {
  it('comes with a plus, so that SQLite plans no statement by it, and anew for the next', () => {
    const { db } = withFlushes()
    const query = db.selectFrom('meta').select('value').where('key', '=', 'a').limit(1)
    expect(query.compile().sql).toBe('select "value" from "meta" where "key" = +? limit +?')
  })

  it.each([
    ['a text', 'ä 1'],
    ['a text of digits', '007'],
    ['a number', 1.5],
    ['a large number', 2 ** 52],
    ['bytes', Buffer.from([0, 1, 255])],
    ['nothing', null],
  ])('stays what it is: %s', async (_, value) => {
    const { db } = withFlushes()
    const row = await db.selectNoFrom(sql`${value}`.as('value')).executeTakeFirst()
    expect(row).toEqual({ value })
  })
})
