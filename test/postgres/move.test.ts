import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, temporaryFolder } from '../e2e/program.ts'
import { serve } from '../e2e/server.ts'
import { ask, change, contentOf, folderWith, newest, toFolder, toServer } from './moving.ts'
import { server, url } from './own-server.ts'

const fixtures = globSync('test/fixtures/*.db.gz', { cwd: root })

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
  // The ids of deleted rows are not given again.
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
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already contains this instance: an earlier move'),
    })
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
    expect(missing.stderr).toMatch(
      /^acme\.hours has tables and is not installed in \S+\/plugins\. Install it there, set LINNET_DATA_DIR/,
    )
    expect(missing.code).toBe(1)
  })
})
