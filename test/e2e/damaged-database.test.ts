import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { runJob } from './long-work.ts'
import { linnet, temporaryFolder } from './program.ts'
import { createLink, type Server, serve, serverEnv } from './server.ts'

const note =
  'The database is damaged. Linnet reads all of it again by itself, in case only the disk failed for a moment. ' +
  'If this stays, stop Linnet and restore a backup: linnet restore <backup>'

itAtNight(
  'is failing, not ready, once a link cannot be followed for it, and says so once in the log',
  async () => {
    const { dataDir, codes } = await withLinks(500)
    spoilSecondLeafOf('short_codes', dataDir)
    // Plugins that answer paths look at the start whether these are codes of links.
    const server = await serve({ dataDir, env: { PLUGINS: 'link.customShortCode' } })
    expect((await server.get(`/${codes.at(0)}`)).status).toBe(302)
    expect((await server.get('/health/ready')).status).toBe(200)

    const failed: number[] = []
    for (const code of codes) {
      const { status } = await server.get(`/${code}`)
      if (status >= 500) failed.push(status)
      if (failed.length === 2) break
    }
    expect(failed).toEqual([503, 503])
    const { status, body } = await server.get('/health/ready')
    expect({ code: status, ...body }).toMatchObject({
      code: 503,
      status: 'failing',
      checks: { storage: { status: 'failing', note }, plugins: { status: 'ok', note: null } },
    })
    await server.logged(/^The database is damaged: database disk image is malformed\. Linnet reads/)
    expect(server.log.filter(({ message }) => message.startsWith('The database'))).toHaveLength(1)
  },
)

it.each(
  firstOf(1, [
    ['a plugin that reads its own tables', 'organization_tags_links_link'],
    ['the thread that counts visits', 'visit_batches'],
  ]),
)('damage is found by %s, which is not to blame', async (_, table) => {
  const { server, shortCode } = await afterDamageTo(table)
  expect((await server.get('/health/ready')).status).toBe(200)
  expect((await server.get(`/${shortCode}`)).status).toBe(302)
  for (let times = 0; times < 25; times += 1) await server.api('GET', '/links')
  await expect.poll(() => healthOf(server)).toMatchObject({ status: 503, storage: { note } })
  const { body } = await server.get('/health/ready')
  expect(body.checks.plugins).toEqual({ status: 'ok', note: null })
})

itAtNight(
  'damage is found by the copy of the night, though nobody reads what is damaged',
  async () => {
    const { server, shortCode } = await afterDamageTo('organization_campaigns_links_campaign')
    await server.get(`/${shortCode}`)
    expect((await server.get('/health/ready')).status).toBe(200)
    expect(await runJob(server, 'storage.backup')).toMatchObject({ outcome: 'failed' })
    expect(await healthOf(server)).toMatchObject({ status: 503, storage: { note } })
    expect((await server.api('POST', '/admin/backups')).status).toBe(503)
  },
)

itAtNight(
  'damage is taken back once all of the database can be read again, since then only the disk had failed',
  async () => {
    const { dataDir } = await withLinks(1)
    const file = join(dataDir, 'linnet.db')
    const before = readFileSync(file)
    spoilFirstPageOf('organization_campaigns_links_campaign', dataDir)
    const server = await serve({ dataDir })
    await server.api('POST', '/admin/backups')
    expect(await healthOf(server)).toMatchObject({ status: 503, storage: { note } })

    const { pageBytes, root } = lookUp('organization_campaigns_links_campaign', dataDir)
    const at = (root - 1) * pageBytes
    writeAt(file, at, before.subarray(at, at + pageBytes))
    await server.logged(/^All of the database was read again/)
    expect(await healthOf(server)).toMatchObject({ status: 200, storage: { status: 'ok' } })
  },
)

it.each(firstOf(1, ['links', 'meta', 'short_codes', 'accounts', 'plugin_migrations']))(
  'a database is refused at the start and left as it is, when its %s cannot be read',
  async table => {
    const { dataDir } = await withLinks(1)
    spoilFirstPageOf(table, dataDir)
    const file = join(dataDir, 'linnet.db')
    const before = readFileSync(file)
    const { code, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/linnet\.db is damaged: .* Restore a backup: linnet restore <backup>$/m)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(readFileSync(file).equals(before)).toBe(true)
  },
)

describe('a write-ahead log that a crash left', () => {
  it.each(
    firstOf<[string, (log: string) => void]>(1, [
      ['has a damaged header', log => flip(log, 20)],
      ['is damaged in the middle', log => flip(log, 9_000)],
      ['was cut short', log => truncateSync(log, statSync(log).size - 5_000)],
      ['was taken away', log => rmSync(log)],
    ]),
  )('is told of in log and health when it %s', async (_, spoil) => {
    const { dataDir } = await killed()
    spoil(join(dataDir, 'linnet.db-wal'))
    const server = await serve({ dataDir })
    await server.logged(
      /^\d+ pages of the write-ahead log could not be read: it is damaged or missing\. /,
    )
    expect(await healthOf(server)).toMatchObject({
      status: 200,
      storage: {
        status: 'degraded',
        note: expect.stringMatching(/^The write-ahead log was damaged/),
      },
    })
    await server.kill('SIGTERM')
    expect(await healthOf(await serve({ dataDir }))).toMatchObject({ storage: { status: 'ok' } })
  })

  itAtNight('is nothing to tell of when all of it is there', async () => {
    const { dataDir, codes } = await killed()
    const server = await serve({ dataDir })
    for (const code of codes) expect((await server.get(`/${code}`)).status).toBe(302)
    expect(await healthOf(server)).toMatchObject({ storage: { status: 'ok', note: null } })
  })
})

/** The originals that tests copy; the first test that needs one makes it. */
const originals = mkdtempSync(join(tmpdir(), 'linnet-e2e-'))
afterAll(() => rmSync(originals, { recursive: true }))
const made = new Map<string, Promise<readonly string[]>>()

async function copyOf(name: string, make: (dataDir: string) => Promise<readonly string[]>) {
  const original = join(originals, name)
  if (!made.has(name)) made.set(name, make(original))
  const codes = (await made.get(name)) ?? []
  const dataDir = temporaryFolder()
  cpSync(original, dataDir, { recursive: true })
  return { dataDir, codes }
}

/** The folder of a server that was killed while it created links. */
const killed = () => copyOf('killed', leaveKilled)

async function leaveKilled(dataDir: string): Promise<readonly string[]> {
  const server = await serve({ dataDir })
  const codes: string[] = []
  for (let link = 0; link < 20; link += 1) codes.push((await createLink(server)).shortCode)
  await server.kill('SIGKILL')
  return codes
}

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
  writeFileSync(file, bytes)
}

async function healthOf(server: Server) {
  const { status, body } = await server.get('/health/ready')
  return { status, storage: body.checks.storage }
}

/** A server on a database with a link, of which the table or index with this name is damaged. */
async function afterDamageTo(name: string) {
  const { dataDir, codes } = await withLinks(1)
  spoilFirstPageOf(name, dataDir)
  return { server: await serve({ dataDir }), shortCode: codes[0] }
}

/** A data folder without a server, and its short codes in the order of the database. */
const withLinks = (count: number) => copyOf(`${count} links`, folder => makeLinks(folder, count))

async function makeLinks(dataDir: string, count: number): Promise<readonly string[]> {
  const server = await serve({ dataDir })
  const codes: string[] = []
  // One after the other: with hundreds at once, a busy machine answers the last too late.
  while (codes.length < count) {
    // All are under the paths of plugins, which a start looks up.
    const short_code = `link-${codes.length + 1_000}`
    codes.push((await createLink(server, { short_code })).shortCode)
  }
  await server.kill('SIGTERM')
  return codes.sort()
}

function spoilFirstPageOf(name: string, dataDir: string): void {
  const { pageBytes, file, root } = lookUp(name, dataDir)
  zero(file, root, pageBytes)
}

/**
 * Damages the second page of a tree, which the second cell of its root names:
 * https://sqlite.org/fileformat2.html#b_tree_pages
 */
function spoilSecondLeafOf(name: string, dataDir: string): void {
  const { pageBytes, file, root } = lookUp(name, dataDir)
  const page = readFileSync(file).subarray((root - 1) * pageBytes, root * pageBytes)
  expect(page.readUInt16BE(3)).toBeGreaterThan(1)
  zero(file, page.readUInt32BE(page.readUInt16BE(14)), pageBytes)
}

function lookUp(name: string, dataDir: string) {
  const file = join(dataDir, 'linnet.db')
  const database = new BetterSqlite3(file, { readonly: true })
  const rootOf = database.prepare('select rootpage from sqlite_schema where name = ?').pluck()
  const root = Number(rootOf.get(name))
  const pageBytes = Number(database.pragma('page_size', { simple: true }))
  database.close()
  return { file, root, pageBytes }
}

/** Writes zeros, as a disk does that has lost a block. */
function zero(file: string, page: number, pageBytes: number): void {
  writeAt(file, (page - 1) * pageBytes, Buffer.alloc(pageBytes))
}

function writeAt(file: string, position: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, position)
  closeSync(descriptor)
}
