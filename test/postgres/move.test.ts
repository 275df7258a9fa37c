import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { linnet, root, start, temporaryFolder } from '../e2e/program.ts'
import { serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'

const fixtures = globSync('test/fixtures/*.db.gz', { cwd: root })

/** A data folder with a database of before. */
function folderWith(fixture: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'linnet.db'), gunzipSync(readFileSync(join(root, fixture))))
  return folder
}

const newest = 'test/fixtures/schema-8.db.gz'

const toServer = (folder: string, to = url) =>
  linnet(['migrate-to', to], { env: { LINNET_DATA_DIR: folder } })
const toFolder = (to: string, dataDir = temporaryFolder()) =>
  linnet(['migrate-to', to], { env: { LINNET_DATA_DIR: dataDir, DATABASE_URL: url } })

function change(folder: string, sql: string): void {
  const database = new BetterSqlite3(join(folder, 'linnet.db'))
  database.exec(sql)
  database.close()
}

/** All that a database has: its tables as they were made, their rows, and the last numbers that were given. */
function contentOf(folder: string) {
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

async function ask(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

it.each(fixtures)('moves %s to a server and back, with every row', async fixture => {
  const folder = folderWith(fixture)
  const there = await toServer(folder)
  expect(there).toMatchObject({ code: 0 })
  expect(there.stdout).toMatch(/^\d+ rows of \d+ tables moved and compared\.\nSet DATABASE_URL to/)
  const before = contentOf(folder)

  const back = temporaryFolder()
  expect(await toFolder(back)).toMatchObject({ code: 0 })
  expect(contentOf(back)).toEqual(before)
  expect(Object.values(before.rows).flat().length).toBeGreaterThan(40)
})

it('goes on where it was: links lead where they led, counts go on, and new links get new numbers', async () => {
  const folder = folderWith(newest)
  // Numbers of what was deleted are not given again.
  change(folder, `update sqlite_sequence set seq = 1000 where name = 'links'`)
  await toServer(folder)
  const onServer = await serve({ env: { DATABASE_URL: url } })
  expect((await onServer.get('/plain-1')).headers.get('location')).toBe('https://example.com/plain')
  const made = await onServer.api('POST', '/links', { original_url: 'https://example.com/new' })
  expect(made.status).toBe(201)
  const tag = await onServer.api('POST', '/tags', { name: 'New', color: '#0a7cff' })
  expect(tag.status).toBe(201)
  const { data: tags } = (await onServer.api('GET', '/tags')).body
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(['New', 'News'])
  const code = made.body.data.shortCode as string
  expect(await ask(`select id from links where short_code = '${code}'`)).toEqual([{ id: '1001' }])
  await onServer.kill('SIGTERM')

  const back = temporaryFolder()
  expect(await toFolder(back, onServer.dataDir)).toMatchObject({ code: 0 })
  const inFile = await serve({ dataDir: back })
  expect((await inFile.get(`/${code}`)).headers.get('location')).toBe('https://example.com/new')
  const next = await inFile.api('POST', '/links', { original_url: 'https://example.com/next' })
  expect(next.status).toBe(201)
  await inFile.kill('SIGTERM')
  expect(contentOf(back).rows.links).toContainEqual(expect.stringContaining('{"id":1002,'))
})

it('settings that are in the database come to lie beside it', async () => {
  const folder = folderWith(newest)
  expect(await toServer(folder)).toMatchObject({ code: 0 })
  const settings = JSON.stringify({ plugins: { off: ['link.linkPreview'] } })
  await ask(`insert into meta values ('settings', '${settings}')`)
  const back = temporaryFolder()
  expect(await toFolder(back)).toMatchObject({ code: 0 })
  expect(readFileSync(join(back, 'settings.json'), 'utf8')).toBe(settings)
  expect(contentOf(back)).toEqual(contentOf(folder))
})

describe('broken off', () => {
  /** Enough that a move takes a while. */
  function fill(folder: string): void {
    change(
      folder,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
       insert into visit_names (name) select 'https://example.com/' || i from n;
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
       insert into link_counts select i, i % 500, randomblob(i % 90) from n;
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
       insert into visit_batches (packed) select randomblob(70000) from n;`,
    )
  }

  /** Start to move, and kill it as soon as this is so. */
  async function killOnce(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    isTime: () => Promise<boolean>,
  ): Promise<void> {
    const { child, exit } = start(['migrate-to', ...args], { env })
    let isOver = false
    void exit.then(() => {
      isOver = true
    })
    while (!isOver && !(await isTime())) await delay(2)
    child.kill('SIGKILL')
    expect(await exit).toEqual({ code: null, signal: 'SIGKILL' })
  }

  const reachedThere = (key: string) => async () => {
    const sql = `select 1 from linnet_move where key = '${key}'`
    return (await ask(sql).catch(() => [])).length > 0
  }

  it('it goes on, and what changed meanwhile is moved as well', async () => {
    const folder = folderWith(newest)
    fill(folder)
    const env = { LINNET_DATA_DIR: folder }
    for (const key of ['source', 'clear', 'table accounts', 'table link_counts']) {
      await killOnce([url], env, reachedThere(key))
    }
    const [copied] = await ask('select count(*) as rows from link_counts')
    expect(Number(copied?.rows)).toBeGreaterThan(0)
    expect(Number(copied?.rows)).toBeLessThan(30_000)
    for (const command of [['doctor'], ['token', 'create', '--account', 'ada@example.org']]) {
      const { code, stdout, stderr } = await linnet(command, {
        env: { ...env, DATABASE_URL: url },
      })
      expect(code).toBe(1)
      expect(stdout + stderr).toMatch(/Not everything was moved to the database of DATABASE_URL/)
    }
    change(
      folder,
      `update accounts set full_name = 'Ada again'; delete from link_counts where owner_id = 1;
       insert into link_counts values (0, 0, x'00ff')`,
    )
    await killOnce([url], env, reachedThere('table visit_names'))
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const before = contentOf(folder)
    const back = temporaryFolder()
    const known = { LINNET_DATA_DIR: folder, DATABASE_URL: url }
    const moving = join(back, 'linnet.db.moving')
    const reachedHere = (key: string) => async () => {
      try {
        const database = new BetterSqlite3(moving, { readonly: true })
        const found = database.prepare('select 1 from linnet_move where key = ?').get(key)
        database.close()
        return found !== undefined
      } catch {
        return false
      }
    }
    for (const key of ['source', 'table accounts', 'table visit_batches']) {
      await killOnce([back], known, reachedHere(key))
    }
    expect(await toFolder(back)).toMatchObject({ code: 0 })
    expect(contentOf(back)).toEqual(before)
    expect(before.rows.accounts).toContainEqual(expect.stringContaining('Ada again'))
  })

  it('it is not mixed with another instance', async () => {
    const folder = folderWith(newest)
    fill(folder)
    await killOnce([url], { LINNET_DATA_DIR: folder }, reachedThere('table accounts'))
    const other = folderWith(newest)
    change(other, `update meta set value = 'another' where key = 'secret'`)
    const { code, stderr } = await toServer(other)
    expect(code).toBe(1)
    expect(stderr).toMatch(/contains part of another instance, whose move was interrupted/)
  })
})

describe('nothing is moved', () => {
  it.each([
    [
      'where nobody listens',
      () => 'postgres://ada:secret@127.0.0.1:1/x',
      /cannot be reached at 127/,
    ],
    ['without a database', () => server.url('nowhere'), /There is no such database: .*nowhere/],
    [
      'with a wrong name',
      () => url.replace('linnet@', 'ada:secret@'),
      /refuses the name or the password in the address/,
    ],
    ['to another kind of server', () => 'mysql://ada@x/y', /is not the address of a PostgreSQL/],
    ['to a folder', () => '/nowhere/at/all', /is in SQLite already/],
  ])('%s', async (_, target, sentence) => {
    const folder = folderWith(newest)
    const { code, stderr } = await toServer(folder, target())
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toContain('secret')
    expect(stderr).not.toMatch(/DATABASE_URL \(/)
  })

  it('to a database that has something in it, of whomever', async () => {
    const folder = folderWith(newest)
    await ask('create table books (title text)')
    const first = await toServer(folder)
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
    await ask('drop table books')
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const second = await toServer(folder)
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
    const back = await toFolder(folder)
    expect(back.stderr).toMatch(/There is already a database: .*linnet\.db\./)
  })

  it('while a server runs', async () => {
    const running = await serve()
    const there = await toServer(running.dataDir)
    expect(there.stderr).toMatch(/^Another Linnet is running on this data folder/)
    await running.kill('SIGTERM')
    const onServer = await serve({ env: { DATABASE_URL: url } })
    const back = await toFolder(temporaryFolder())
    expect(back).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^A Linnet server is using /),
    })
    await onServer.kill('SIGTERM')
  })

  it('where a table belongs to nobody who is known', async () => {
    const folder = folderWith(newest)
    change(folder, 'create table acme_hours (link_id integer primary key)')
    const strange = await toServer(folder)
    expect(strange.stderr).toMatch(
      /^The table acme_hours belongs neither to Linnet nor to a plugin/,
    )
    change(folder, `insert into plugin_migrations values ('acme.hours', '001', 'x', 0)`)
    const missing = await toServer(folder)
    expect(missing.stderr).toMatch(/^acme\.hours has tables and is not installed\. Install it/)
    expect(missing.code).toBe(1)
  })
})
