import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, inTransaction } from '../../../../core/storage/database.ts'
import { UnusableDatabase } from '../../../../core/storage/files/inspect-file.ts'
import { lockFolder } from '../../../../core/storage/files/lock.ts'
import { joinSqlite, openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { countTurns } from '../../../tally.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-storage-'))
  file = join(folder, 'linnet.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function makeDatabase(): Promise<void> {
  const storage = await openSqlite(file)
  await storage.close()
}

it('a file of another build before the release is left as it is, with a sentence that says what to do', async () => {
  await makeDatabase()
  const raw = new BetterSqlite3(file)
  raw.exec('alter table accounts drop column links_closed')
  raw.close()
  const before = readFileSync(file)
  const opening = openSqlite(file)
  await expect(opening).rejects.toThrow(UnusableDatabase)
  await expect(opening).rejects.toThrow(
    'was made by another build of this version, from before its release: no such column: links_closed. It stays as it is. Open it with that build',
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

describe('a fresh data folder', () => {
  it('gets a durable database that is marked as ours', async () => {
    const storage = await openSqlite(file)
    await storage.close()

    const raw = new BetterSqlite3(file)
    expect(raw.pragma('application_id', { simple: true })).toBe(0x4c4e4e54)
    expect(raw.pragma('user_version', { simple: true })).toBe(1)
    expect(raw.pragma('journal_mode', { simple: true })).toBe('wal')
    raw.close()
  })

  it('flushes the commits of the recorder one by one, and leaves those of the server to one flush for many', async () => {
    const storage = await openSqlite(file)
    const recorders = joinSqlite(file)
    const synchronous = ({ db }: { readonly db: Database }) =>
      // In a transaction, for only what writes begins one.
      db
        .transaction()
        .execute(tx => sql<{ synchronous: number }>`pragma synchronous`.execute(tx))
        .then(({ rows }) => rows[0]?.synchronous)
    // 2 is FULL and 1 is NORMAL: https://sqlite.org/pragma.html#pragma_synchronous
    expect(await synchronous(recorders)).toBe(2)
    expect(await synchronous(storage)).toBe(1)
    await recorders.close()
    await storage.close()
  })

  it('leaves nothing unfinished behind, also after an earlier crash half-way', async () => {
    writeFileSync(`${file}.new`, 'half of a database')
    await makeDatabase()
    expect(readdirSync(folder)).toEqual(['linnet.db'])
  })
})

it('a folder to which not everything was moved yet gets no empty database', async () => {
  const moved = `${file}.moving`
  writeFileSync(moved, 'a part')
  const opening = openSqlite(file)
  await expect(opening).rejects.toThrow(UnusableDatabase)
  await expect(opening).rejects.toThrow(/^Not everything was moved .* Run linnet migrate-to again/)
  expect(readdirSync(folder)).toEqual(['linnet.db.moving'])

  rmSync(moved)
  await makeDatabase()
  // What is left over beside a whole database keeps nobody from it.
  writeFileSync(moved, 'a part')
  await makeDatabase()
})

describe('a database that must not be opened', () => {
  const cases: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ['is empty', () => Buffer.alloc(0), /damaged: it is empty/],
    ['is something else', () => Buffer.from('hello '.repeat(40)), /does not start as a SQLite/],
    ['lost its end', bytes => bytes.subarray(0, bytes.length - 5000), /damaged: it ends after/],
    [
      'has a broken header',
      bytes => Buffer.concat([Buffer.from('XXXX'), bytes.subarray(4)]),
      /does not start as a SQLite/,
    ],
    [
      'belongs to another program',
      bytes => {
        bytes.writeUInt32BE(1, 68)
        return bytes
      },
      /not one of Linnet's/,
    ],
    [
      'was written by a newer Linnet',
      bytes => {
        bytes.writeUInt32BE(99, 60)
        return bytes
      },
      /newer Linnet \(schema 99/,
    ],
  ]

  it.each(cases)('because it %s is refused and left as it is', async (_, spoil, message) => {
    await makeDatabase()
    writeFileSync(file, spoil(readFileSync(file)))
    const before = readFileSync(file)

    await expect(openSqlite(file)).rejects.toThrow(UnusableDatabase)
    await expect(openSqlite(file)).rejects.toThrow(message)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(['linnet.db'])
  })
})

describe('writing', () => {
  it('waits for another writer without holding up the event loop', async () => {
    const storage = await openSqlite(file)
    const other = new BetterSqlite3(file)
    other.exec('begin immediate')

    let ticks = 0
    const ticking = setInterval(() => {
      ticks += 1
      if (ticks === 5) other.exec('commit')
    }, 5)
    await storage.db.insertInto('meta').values({ key: 'a', value: 'b' }).execute()
    clearInterval(ticking)

    expect(ticks).toBeGreaterThanOrEqual(5)
    other.close()
    await storage.close()
  })

  it('is not waited for by reads, which see what is committed', async () => {
    const storage = await openSqlite(file)
    const { db } = storage
    await db.insertInto('meta').values({ key: 'a', value: 'old' }).execute()
    const read = () => db.selectFrom('meta').select('value').executeTakeFirst()

    const seen = await db.transaction().execute(async tx => {
      await tx.updateTable('meta').set({ value: 'new' }).execute()
      return [await read(), await tx.selectFrom('meta').select('value').executeTakeFirst()]
    })
    expect(seen).toEqual([{ value: 'old' }, { value: 'new' }])
    expect(await read()).toEqual({ value: 'new' })
    await storage.close()
  })

  it('keeps two transactions apart', async () => {
    const storage = await openSqlite(file)
    const add = (key: string) =>
      storage.db.transaction().execute(async tx => {
        await tx.insertInto('meta').values({ key, value: '' }).execute()
        const rows = await tx.selectFrom('meta').select('key').execute()
        if (key === 'fails') throw new Error('undone')
        return rows.map(row => row.key).join()
      })
    const results = await Promise.allSettled([add('one'), add('fails'), add('two')])

    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[2]).toMatchObject({ value: 'one,two' })
    await storage.close()
  })

  it('goes on in a turn of the event loop of its own, though many wait for the same flush', async () => {
    const storage = await openSqlite(file)
    const turns = countTurns()
    const durable = turns.tally()
    const names = Array.from({ length: 20 }, (_, number) => `${number}`)
    await Promise.all(
      names.map(async key => {
        await storage.db.insertInto('meta').values({ key, value: '' }).execute()
        durable.add()
      }),
    )
    await Promise.all(
      names.map(async value => {
        const change = storage.db.updateTable('meta').set({ value }).where('key', '=', value)
        await inTransaction(storage.db, tx => tx.executeQuery(change))
        durable.add()
      }),
    )
    expect(durable.sum()).toBe(40)
    expect(durable.most()).toBe(1)
    turns.stop()
    await storage.close()
  })
})

describe('a data folder', () => {
  it('belongs to one server, until that ends', () => {
    const lock = lockFolder(join(folder, 'linnet.lock'))
    expect(() => lockFolder(join(folder, 'linnet.lock'))).toThrow(/Another Linnet is running/)
    lock.release()
    lockFolder(join(folder, 'linnet.lock')).release()
  })

  it('is not blocked by the lock file that a crash left', () => {
    const lock = lockFolder(join(folder, 'linnet.lock'))
    copyFileSync(join(folder, 'linnet.lock'), join(folder, 'copy.lock'))
    lock.release()
    lockFolder(join(folder, 'copy.lock')).release()
  })
})
