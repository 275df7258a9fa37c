import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject } from 'light-my-request'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, inTransaction, type Storage } from '../../core/storage/database.ts'
import { isOutOfReach } from '../../core/storage/files/out-of-reach.ts'
import { inspectServer, joinDatabase, openDatabase } from '../../core/storage/open/open-database.ts'
import visitsTracking from '../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness } from '../harness.ts'
import { create } from '../open-on-server.ts'
import { server, url } from './own-server.ts'

beforeAll(() => {
  process.env.LINNET_TEST_DATABASE_URL = server.url()
})

/** Opens the storage while `use` runs. */
async function withStorage<T>(use: (storage: Storage) => Promise<T>, serves = false): Promise<T> {
  const storage = await openDatabase({ url }, { serves })
  try {
    return await use(storage)
  } finally {
    await storage.close()
  }
}

async function ask<Row extends pg.QueryResultRow>(sql: string, of = url): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: of })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Adds a rule on who may connect; PostgreSQL reads it a moment later. */
async function addRule(rule: string): Promise<void> {
  const rules = join(server.folder, 'data', 'pg_hba.conf')
  writeFileSync(rules, `${rule}\n${readFileSync(rules, 'utf8')}`)
  await ask('select pg_reload_conf()', server.url())
}

const setMeta = (db: Database, key: string, value: string) =>
  db
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
const readMeta = async (db: Database, key: string) =>
  (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value

describe('a database on a server', () => {
  it('is made once, by whoever of several comes first', async () => {
    const storages = await Promise.all([1, 2, 3].map(() => openDatabase({ url }, {})))
    for (const { db } of storages) expect(await readMeta(db, 'schema')).toBe('1')
    for (const storage of storages) await storage.close()
    const tables = 'select tablename from pg_tables where schemaname = $$public$$ order by 1'
    const madeAlone = await create(server.url())
    await (await openDatabase({ url: madeAlone }, {})).close()
    expect(await ask(tables)).toEqual(await ask(tables, madeAlone))
  })

  it('is not made by who expects one', async () => {
    await expect(openDatabase({ url }, { expected: true })).rejects.toThrow(
      /^There is no Linnet in .* yet\. Start the server first, or correct DATABASE_URL\.$/,
    )
    expect(await ask('select tablename from pg_tables where schemaname = $$public$$')).toEqual([])
  })

  it.each([
    [
      'nobody listens',
      () => 'postgres://ada:secret@127.0.0.1:1/x',
      /^PostgreSQL cannot be reached at 127\.0\.0\.1:1\/x: connect ECONNREFUSED/,
    ],
    [
      'the host is not known',
      () => 'postgres://ada:secret@nowhere.invalid/x',
      /^The host of DATABASE_URL is not known \(nowhere\.invalid\/x\)/,
    ],
    [
      'there is no such database',
      () => server.url('nowhere'),
      /^There is no such database: .*\/nowhere\. Create it/,
    ],
    [
      'there is no such user',
      () => server.url('postgres').replace('linnet@', 'ada:secret@'),
      /^PostgreSQL refuses the name or the password in DATABASE_URL \(.*\/postgres\): role "ada" does not exist/,
    ],
    [
      'there is no encryption',
      () => `${server.url()}?sslmode=verify-full`,
      /^No secure connection to PostgreSQL can be made .* does not support SSL/,
    ],
    [
      'there is no such authority',
      () => `${server.url()}?sslmode=verify-full&sslrootcert=/nowhere.pem`,
      /^A file that DATABASE_URL names cannot be read: ENOENT: .*nowhere\.pem/,
    ],
  ])('that cannot be had is told of: %s', async (_, address, sentence) => {
    for (const attempt of [
      () => openDatabase({ url: address() }, {}),
      () => inspectServer(address()),
    ]) {
      const error = await attempt().then(
        () => undefined,
        (error: Error) => error,
      )
      expect(error?.message).toMatch(sentence)
      expect(error?.message).not.toContain('secret')
    }
  })

  it('that Linnet may make no tables in is told of', async () => {
    await ask('create role guest login', server.url())
    await expect(openDatabase({ url: url.replace('linnet@', 'guest@') }, {})).rejects.toThrow(
      /^PostgreSQL does not let Linnet make or use its tables in .*: permission denied for schema public/,
    )
  })

  it('whose tables belong to somebody else is told of, also to the doctor', async () => {
    await withStorage(async () => undefined)
    await ask('create role heir login', server.url())
    const ofHeir = url.replace('linnet@', 'heir@')
    for (const attempt of [() => openDatabase({ url: ofHeir }, {}), () => inspectServer(ofHeir)]) {
      await expect(attempt()).rejects.toThrow(
        /^PostgreSQL does not let Linnet make or use its tables .*: permission denied for table meta/,
      )
    }
  })

  it.each([
    ['reads only', 'default_transaction_read_only = on', /^The user of DATABASE_URL may only read/],
    ['has no schema', 'search_path = nowhere', /^The user of DATABASE_URL has no schema/],
  ])('is refused, and nothing is made, for a user who %s', async (_, setting, sentence) => {
    const options = encodeURIComponent(`-c ${setting.replaceAll(' ', '')}`)
    const limited = `${url}?options=${options}`
    for (const attempt of [
      () => openDatabase({ url: limited }, {}),
      () => inspectServer(limited),
    ]) {
      await expect(attempt()).rejects.toThrow(sentence)
    }
    expect(await ask('select tablename from pg_tables where schemaname = $$public$$')).toEqual([])
  })

  it('that asks for a password says so', async () => {
    await ask(`create role walled login password 'secret'`, server.url())
    await addRule('local all walled scram-sha-256')
    const address = url.replace('linnet@', 'walled@')
    await expect
      .poll(() => inspectServer(address).catch((error: Error) => error.message))
      .toMatch(
        /^PostgreSQL asks for a password \(.*\)\. Add it to DATABASE_URL, or set PGPASSWORD\.$/,
      )
  })

  it('that accepts no such connection says so, and what may be wrong', async () => {
    await ask('create role barred login', server.url())
    await addRule('local all barred reject')
    await expect
      .poll(() =>
        inspectServer(url.replace('linnet@', 'barred@')).catch((error: Error) => error.message),
      )
      .toMatch(
        /^PostgreSQL does not accept this connection .*pg_hba\.conf.* Add sslmode=verify-full/,
      )
  })

  it('that has no connection left says so', async () => {
    await ask('create role poor login connection limit 0', server.url())
    await expect(inspectServer(url.replace('linnet@', 'poor@'))).rejects.toThrow(
      /^PostgreSQL has no connection left for Linnet at .*: too many connections for role "poor"/,
    )
  })

  it('of another encoding, of another program or of a newer Linnet stays as it is', async () => {
    await ask(`create database latin encoding 'LATIN1' locale 'C' template template0`, server.url())
    await expect(openDatabase({ url: server.url('latin') }, {})).rejects.toThrow(
      'Linnet needs UTF8',
    )

    await ask('create table links (name text)')
    await expect(openDatabase({ url }, {})).rejects.toThrow('has tables of another program')
    expect(await ask('select tablename from pg_tables where schemaname = $$public$$')).toHaveLength(
      1,
    )
    await ask('drop table links; create table sessions (name text)')
    await expect(openDatabase({ url }, {})).rejects.toThrow(
      /^Linnet cannot make its tables in .*: relation "sessions" already exists/,
    )
    await ask('drop table sessions')

    await withStorage(({ db }) => setMeta(db, 'schema', '1000'))
    await expect(openDatabase({ url }, {})).rejects.toThrow(
      `was written by a newer Linnet (schema 1000; this version knows up to 1)`,
    )
  })

  it('serves several of one version, and commands beside them', async () => {
    await withStorage(async ({ db }) => {
      await withStorage(async other => setMeta(other.db, 'by', 'another'), true)
      await withStorage(async other => setMeta(other.db, 'and', 'a command'))
      expect([await readMeta(db, 'by'), await readMeta(db, 'and')]).toEqual([
        'another',
        'a command',
      ])
    }, true)
  })
})

describe('who writes', () => {
  it('is alone while writing, in whatever process', async () => {
    await withStorage(async ({ db }) => {
      const joined = await joinDatabase({ url })
      await setMeta(db, 'count', '0')
      const addOne = (db: Database) =>
        inTransaction(db, async tx =>
          setMeta(tx, 'count', `${Number(await readMeta(tx, 'count')) + 1}`),
        )
      await Promise.all(Array.from({ length: 60 }, (_, turn) => addOne(turn % 2 ? db : joined.db)))
      expect(await readMeta(db, 'count')).toBe('60')
      await joined.close()
    })
  })

  it('is seen by nobody before the end, and never when it fails', async () => {
    await withStorage(async ({ db }) => {
      await inTransaction(db, async tx => {
        await setMeta(tx, 'half', 'done')
        expect(await readMeta(db, 'half')).toBeUndefined()
      })
      expect(await readMeta(db, 'half')).toBe('done')
      const failing = inTransaction(db, async tx => {
        await setMeta(tx, 'half', 'undone')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await readMeta(db, 'half')).toBe('done')
    })
  })

  it('and goes on after a statement that failed has written nothing, and hears of it', async () => {
    await withStorage(async ({ db }) => {
      const going = inTransaction(db, async tx => {
        await setMeta(tx, 'a', '1')
        await tx
          .insertInto('meta')
          .values({ key: 'a', value: '2' })
          .execute()
          .catch(() => undefined)
      })
      await expect(going).rejects.toThrow('A statement of the transaction had failed.')
      expect(await readMeta(db, 'a')).toBeUndefined()
      await setMeta(db, 'a', '3')
      expect(await readMeta(db, 'a')).toBe('3')
    })
  })

  it('as who reads hears of a connection that is lost while it is asked over, and the process goes on', async () => {
    await withStorage(async ({ db, canFollow }) => {
      let isOver = false
      const outcomes = new Set<string>()
      const readers = Array.from({ length: 12 }, async () => {
        while (!isOver) {
          const slowly = db.selectNoFrom(sql`pg_sleep(0.01)`.as('slept')).execute()
          const error = await slowly.then(
            () => undefined,
            (error: unknown) => error,
          )
          outcomes.add(error === undefined ? 'read' : isOutOfReach(error) ? 'away' : String(error))
        }
      })
      await expect.poll(() => outcomes.has('read')).toBe(true)
      await server.pause('SIGQUIT')
      await expect.poll(() => outcomes.has('away')).toBe(true)
      await server.resume()
      await expect.poll(canFollow).toBe(true)
      isOver = true
      await Promise.all(readers)
      expect(outcomes).toEqual(new Set(['read', 'away']))
    })
  })

  it('loses a connection and no more than what was under way', async () => {
    await withStorage(async ({ db }) => {
      const killed = inTransaction(db, async tx => {
        await setMeta(tx, 'a', '1')
        await ask(
          `select pg_terminate_backend(pid) from pg_stat_activity where state like 'idle in%'`,
        )
        await setMeta(tx, 'a', '2')
      })
      const error = await killed.then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(isOutOfReach(error)).toBe(true)
      await setMeta(db, 'b', '3')
      expect([await readMeta(db, 'a'), await readMeta(db, 'b')]).toEqual([undefined, '3'])
    })
  })
})

it('links that are made while others are saved are saved together', async () => {
  const linnet = await boot([])
  const draft = { original_url: 'https://example.com/' }
  const made = await Promise.all(
    Array.from({ length: 40 }, () => linnet.api('POST', '/links', draft)),
  )
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
  const { transactions } = await linnet.db
    .selectFrom('links')
    .select(sql<number>`count(distinct xmin::text)`.as('transactions'))
    .executeTakeFirstOrThrow()
  // On a busy machine many come alone; each would be one of its own.
  expect(transactions).toBeLessThan(40)
  await linnet.stop()
})

it('links that are saved together keep what was written, and are found by it', async () => {
  const linnet = await boot([])
  const texts = ['"quoted" \\u0041', "it's {a}, [b]", 'one\n\ttwo', '😀 {"a":null}', null]
  const all = [...texts, ...texts]
  const made = await Promise.all(
    all.map(notes =>
      linnet.api('POST', '/links', { original_url: 'https://example.com/ü', notes }),
    ),
  )
  expect(made.map(({ body }) => body.data.notes)).toEqual(all)
  const stored = await Promise.all(
    made.map(({ body }) => linnet.api('GET', `/links/${body.data.id}`)),
  )
  expect(stored.map(({ body }) => body.data)).toEqual(made.map(({ body }) => body.data))
  const found = async (words: string) =>
    (await linnet.api('GET', `/links?search=${encodeURIComponent(words)}`)).body.data.length
  expect(await found('u0041')).toBe(2)
  expect(await found('[b]')).toBe(2)
  expect(await found(made[3]?.body.data.shortCode)).toBe(1)
  expect(await found('example.com/ü')).toBe(10)
  await linnet.stop()
})

it('a redirect that is not in memory is one statement, over indexes, and one that is asks for none', async () => {
  const linnet = await boot(visitsTracking)
  const link = await linnet.create()
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  const follow = async () => {
    queries.mockClear()
    expect((await linnet.visit(link)).status).toBe(302)
    const asked: readonly unknown[] = queries.mock.calls.map(([query]) => query)
    return asked
      .map(query => query as pg.QueryConfig)
      .filter(({ text }) => /\b(short_codes|links)\b/.test(text ?? ''))
  }
  const [cold, ...more] = await follow()
  expect(more).toEqual([])
  expect(await follow()).toEqual([])
  queries.mockRestore()
  await linnet.stop()

  await withStorage(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // With so few rows an index does not pay.
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query(`explain ${cold?.text}`, cold?.values)
    await client.end()
    const plan = JSON.stringify(rows)
    expect(plan.match(/(Index Scan|Index Only Scan|Bitmap Index Scan)/g)).toHaveLength(3)
    expect(plan).not.toMatch(/Seq Scan/)
  })
})

describe('tables of plugins', () => {
  type Things = {
    things: { id?: number; name: string; big: number; bytes: Buffer | null; more?: string | null }
  }

  it('are as they are in SQLite: large numbers, order of bytes, numbers by themselves', async () => {
    await withStorage(async storage => {
      const db = storage.db.withTables<Things>()
      await db.schema
        .createTable('things')
        .addColumn('id', 'integer', c => c.primaryKey().autoIncrement())
        .addColumn('name', 'text', c => c.notNull().unique())
        .addColumn('big', 'integer', c => c.notNull())
        .addColumn('bytes', 'blob')
        .execute()
      const bytes = Buffer.from([0, 255, 92])
      for (const name of ['b', 'a', 'Z', 'é', '_', '😀']) {
        await db
          .insertInto('things')
          .values({ name, big: Number.MAX_SAFE_INTEGER, bytes })
          .execute()
      }
      const rows = await db.selectFrom('things').selectAll().orderBy('name').execute()
      expect(rows.map(({ name }) => name)).toEqual(['Z', '_', 'a', 'b', 'é', '😀'])
      expect(rows[0]).toEqual({ id: 3, name: 'Z', big: Number.MAX_SAFE_INTEGER, bytes })
      const none = db.selectFrom('things').select('id')
      expect(await none.where('id', 'in', []).execute()).toEqual([])
      expect(await none.where('id', 'not in', []).execute()).toHaveLength(6)
      const { all, isSome } = await db
        .selectFrom('things')
        .select(({ fn, exists }) => [
          fn.sum<number>('id').as('all'),
          exists(none.where('name', '=', 'a')).as('isSome'),
        ])
        .executeTakeFirstOrThrow()
      expect([all, isSome]).toEqual([21, 1])
    })
  })

  it('may change while statements on them are ready', async () => {
    await withStorage(async storage => {
      const db = storage.db.withTables<Things>()
      await db.schema.createTable('things').addColumn('name', 'text').execute()
      const read = () => db.selectFrom('things').selectAll().execute()
      for (let times = 0; times < 8; times += 1) expect(await read()).toEqual([])
      await db.schema.alterTable('things').addColumn('more', 'text').execute()
      await db
        .insertInto('things')
        .values({ name: 'a', more: 'b' } as never)
        .execute()
      expect(await read()).toEqual([{ name: 'a', more: 'b' }])
    })
  })
})

it('a standby is refused in a sentence', async () => {
  await withStorage(async () => undefined)
  await server.pause()
  const sign = join(server.folder, 'data', 'standby.signal')
  writeFileSync(sign, '')
  await server.resume()
  const sentence =
    /is a standby, and nothing can be written there\. Set the address of the primary\.$/
  await expect(openDatabase({ url }, { serves: true })).rejects.toThrow(sentence)
  await expect(inspectServer(url)).rejects.toThrow(sentence)
  await server.pause()
  rmSync(sign)
  await server.resume()
  await withStorage(async ({ db }) => expect(await readMeta(db, 'schema')).toBeDefined())
})

describe('while the server is away', () => {
  let linnet: Harness | undefined

  it('known links are followed, visits wait, and all goes on by itself', async () => {
    linnet = await boot(visitsTracking)
    const link = await linnet.create()
    const unknown = await linnet.create()
    const health = async () =>
      (await inject(linnet?.app.server.handle as never, { url: '/health/ready' })).statusCode
    await linnet.visit(link)
    await server.pause()

    for (let times = 0; times < 3; times += 1) {
      expect(await linnet.visit(link)).toMatchObject({ status: 302, location: link.originalUrl })
    }
    expect((await linnet.visit(unknown)).status).toBe(503)
    const draft = { original_url: 'https://example.com/' }
    expect((await linnet.api('POST', '/links', draft)).status).toBe(503)
    expect(await health()).toBe(503)

    await server.resume()
    await expect.poll(async () => (await linnet?.visit(unknown))?.status).toBe(302)
    await expect.poll(async () => (await linnet?.api('POST', '/links', draft))?.status).toBe(201)
    await expect.poll(health, { interval: 200 }).toBe(200)
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 4 } })
    await linnet.stop()
  })
})
