import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { dataUri, png } from '../core/http/logos.ts'
import { linnet, root, temporaryFolder } from '../e2e/program.ts'
import { type Server, serve } from '../e2e/server.ts'
import { create } from '../open-on-server.ts'
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

itAtNight(
  'moves into a folder that was not there, also where there was no data folder',
  async () => {
    const folder = folderWith(newest)
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const [target, dataDir] = ['target', 'none'].map(it => join(temporaryFolder(), it))
    expect(await toFolder(String(target), dataDir)).toMatchObject({ code: 0 })
    expect(contentOf(String(target))).toEqual(contentOf(folder))
    expect(existsSync(String(dataDir))).toBe(false)
    expect(await toFolder(String(dataDir), dataDir)).toMatchObject({ code: 0 })
    expect(contentOf(String(dataDir))).toEqual(contentOf(folder))
  },
)

itAtNight('says that everything is there already where a finished move is run again', async () => {
  const folder = folderWith(newest)
  const first = await toServer(folder)
  const rows = /^\d+ rows of \d+ tables/.exec(first.stdout)?.[0]
  const again = await toServer(folder)
  expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('already') })
  expect(again.stdout).toContain(`Everything is there already: ${rows} compared.\nSet DATABASE_URL`)
  const back = await toFolder(folder)
  expect(back).toMatchObject({ code: 0 })
  expect(back.stdout).toContain(`Everything is there already: ${rows} compared.\nUnset`)
  await ask(`insert into meta values ('settings', '{ "brand": { "name": "Ada" } }')`)
  expect(await toFolder(folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Since that move, settings.json changed.'),
  })
})

itAtNight(
  'plans, switches, settings of plugins, brand and accounts are the same there, back, and there again',
  async () => {
    const places = [
      '/admin/plans',
      '/admin/features',
      '/admin/brand',
      '/admin/plugins',
      '/admin/accounts',
    ]
    const kept = async (node: Server) => {
      const answers = await Promise.all(places.map(place => node.api('GET', place)))
      expect(answers.map(({ status }) => status)).toEqual(places.map(() => 200))
      // The time of the last request of an account is that of this one, sooner or later.
      const isSeen = (key: string, value: unknown) => (key === 'lastSeenAt' ? undefined : value)
      return answers.map(({ body }) => JSON.parse(JSON.stringify(body.data, isSeen)))
    }
    const first = await serve()
    const change = async (node: Server, method: string, path: string, body: object) => {
      const { status, text } = await node.api(method, path, body)
      expect([status, text]).toEqual([expect.toBeOneOf([200, 201]), text])
    }
    await change(first, 'PATCH', '/admin/plans/free', { limits: { maxLinksCreatedPerMonth: 7 } })
    await change(first, 'PATCH', '/admin/features', { tag_creation_enabled: false })
    await change(first, 'PATCH', '/admin/brand', { name: 'Ada', logo: dataUri('image/png', png) })
    await change(first, 'PATCH', '/admin/plugins/organization.customDomains', {
      settings: { maxPerAccount: 7 },
    })
    await change(first, 'POST', '/admin/accounts', {
      email: 'bob@example.org',
      password: 'correct horse',
      plan: 'free',
    })
    const all = await kept(first)
    await first.kill('SIGTERM')
    const folder = first.dataDir

    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const there = await serve({ dataDir: folder, env: { DATABASE_URL: url } })
    expect(await kept(there)).toEqual(all)
    await there.kill('SIGTERM')
    // The database that was moved from is still in the folder.
    const unmoved = await serve({ dataDir: folder })
    expect(await kept(unmoved)).toEqual(all)
    await unmoved.kill('SIGTERM')

    const onServer = await serve({ dataDir: folder, env: { DATABASE_URL: url } })
    await change(onServer, 'PATCH', '/admin/brand', { name: 'Bob' })
    const changed = await kept(onServer)
    await onServer.kill('SIGTERM')
    for (const file of globSync('linnet.db*', { cwd: folder })) rmSync(join(folder, file))
    expect(await toFolder(folder, folder)).toMatchObject({ code: 0 })
    const back = await serve({ dataDir: folder })
    expect(await kept(back)).toEqual(changed)
    await change(back, 'PATCH', '/admin/brand', { name: 'Cleo' })
    const last = await kept(back)
    await back.kill('SIGTERM')

    const other = await create(server.url())
    expect(await toServer(folder, other)).toMatchObject({ code: 0 })
    const again = await serve({ dataDir: folder, env: { DATABASE_URL: other } })
    expect(await kept(again)).toEqual(last)
    await again.kill('SIGTERM')
  },
)

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
    ['to a file by a URL', () => 'sqlite:/nowhere', /is not the address of a PostgreSQL/],
    ['to nothing', () => '', /^The target is empty/],
    ['to a folder', () => '/nowhere/at/all', /is in SQLite already/],
  ])('%s', async (_, target, sentence) => {
    const folder = folderWith(newest)
    const { code, stderr } = await toServer(folder, target())
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toContain('secret')
    expect(stderr).not.toMatch(/DATABASE_URL \(/)
  })

  itAtNight('to a database that has something in it, of whomever', async () => {
    const folder = folderWith(newest)
    await ask('create table books (title text)')
    const first = await toServer(folder)
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
    await ask('drop table books')
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    await ask(`update links set version = version + 1 where short_code = 'plain-1'`)
    const second = await toServer(folder)
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(
      /already contains this instance: an earlier move.* Since that move, links changed\.$/m,
    )
    const back = await toFolder(folder)
    expect(back.code).toBe(1)
    expect(back.stderr).toMatch(/There is already a database: .*linnet\.db\..* links changed\.$/m)
    const other = folderWith(newest)
    change(other, `update meta set value = 'of another instance' where key = 'secret'`)
    const strange = await toFolder(other)
    expect(strange.stderr).toMatch(/There is already a database: .*linnet\.db\.[^.]*\.$/m)
  })

  itAtNight('into what is no folder', async () => {
    const folder = folderWith(newest)
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const file = join(folder, 'linnet.db')
    for (const [target, sentence] of [
      ['', /^The target is empty\./],
      [' ', /^The target is empty\./],
      [file, /linnet\.db is a file\. Name the data folder/],
      ['sqlite:/var/lib/linnet', /^sqlite:\/var\/lib\/linnet is no folder/],
      ['sqlite:///var/lib/linnet', /is no folder/],
      ['file:linnet', /is no folder/],
      ['http://localhost', /is no folder/],
      ['postgres://linnet@localhost/other', /^DATABASE_URL is set, so the database is on a server/],
    ] as const) {
      const { code, stderr } = await toFolder(target)
      expect({ target, code, stderr }).toEqual({
        target,
        code: 1,
        stderr: expect.stringMatching(sentence),
      })
    }
    expect(existsSync('sqlite:')).toBe(false)
  })

  it('from a server that cannot be reached, and leaves nothing behind', async () => {
    const folder = temporaryFolder()
    const [target, dataDir] = [join(folder, 'linnet', 'data'), join(folder, 'none')]
    const env = { LINNET_DATA_DIR: dataDir, DATABASE_URL: 'postgres://linnet@127.0.0.1:1/linnet' }
    for (const to of [target, dataDir]) {
      const { code, stderr } = await linnet(['migrate-to', to], { env })
      expect([code, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:1')])
      expect(readdirSync(folder)).toEqual([])
    }
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
    // Nor is a plugin purged from another folder.
    const purge = ['plugins', 'purge', 'link.passwordProtection', '--yes']
    const elsewhere = { LINNET_DATA_DIR: temporaryFolder(), DATABASE_URL: url }
    expect(await linnet(purge, { env: elsewhere })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^A Linnet server is using /),
    })
    await onServer.kill('SIGTERM')
    expect(await linnet(purge, { env: elsewhere })).toMatchObject({ code: 0 })
  })

  itAtNight('where a table belongs to nobody who is known', async () => {
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
