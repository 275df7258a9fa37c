import { hostname } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { examineClosedLinks, examineServer } from '../../core/doctor/examine-server.ts'
import { joinDatabase, openDatabase } from '../../core/storage/open/open-database.ts'
import passwordProtection from '../../plugins/link/password-protection.ts'
import { boot } from '../harness.ts'
import { create } from '../open-on-server.ts'
import { findPrograms, startServer } from './server.mjs'

let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  server = await startServer(findPrograms() ?? '', { settings: { archive_mode: 'on' } })
  process.env.LINNET_TEST_DATABASE_URL = server.url()
})
afterAll(() => server.stop())

async function archiveBy(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  for (const statement of [
    `alter system set archive_command = '${command}'`,
    'select pg_reload_conf()',
    `select pg_logical_emit_message(false, '', 'anything'), pg_switch_wal()`,
  ]) {
    await client.query(statement)
  }
  await client.end()
}

it('the doctor says whether the log of a server is archived, and that an archive fails', async () => {
  const { db, close } = await joinDatabase({ url: server.url() })
  const backups = async (laterMs = 0) =>
    (await examineServer(db, new Date(Date.now() + laterMs))).find(it => it.name === 'backups')
  expect(await backups()).toMatchObject({
    status: 'warning',
    says: expect.stringMatching(/^PostgreSQL archives no write-ahead log, and/),
  })
  await archiveBy('false')
  await expect
    .poll(() => backups(), { interval: 200 })
    .toMatchObject({ says: expect.stringMatching(/has never archived .*, and failed at 20/) })
  await archiveBy('true')
  await expect
    .poll(() => backups(), { interval: 500 })
    .toMatchObject({ status: 'ok', says: expect.stringContaining('pg_basebackup') })
  expect(await backups(40 * 3_600_000)).toMatchObject({
    status: 'warning',
    says: expect.stringContaining('which is long ago'),
  })
  await close()
})

it('the doctor says which servers run, and warns where their versions differ', async () => {
  const url = await create(server.url())
  const { db, close } = await openDatabase({ url }, {})
  const servers = async () =>
    (await examineServer(db, new Date())).find(({ name }) => name === 'servers')
  expect(await servers()).toMatchObject({ status: 'ok', says: expect.stringMatching(/^No server/) })
  const one = await openDatabase({ url }, { serves: true, version: '1.2.3' })
  const other = await openDatabase({ url }, { serves: true, version: '1.2.3' })
  const machine = hostname()
  const says = `Servers on this database: 1.2.3 on ${machine}, 1.2.3 on ${machine}.`
  expect(await servers()).toMatchObject({ status: 'ok', says })
  await other.close()
  const newer = await openDatabase({ url }, { serves: true, version: '1.3.0' })
  await expect.poll(servers).toMatchObject({
    status: 'warning',
    says: `Servers on this database: 1.2.3 on ${machine}, 1.3.0 on ${machine}.`,
  })
  await Promise.all([one.close(), newer.close(), close()])
})

it('the doctor warns where servers have different base URLs', async () => {
  const url = await create(server.url())
  const { db, close } = await openDatabase({ url }, {})
  const serveAt = (baseUrl: string) =>
    openDatabase({ url }, { serves: true, version: '1.2.3', baseUrl })
  const warnings = async () =>
    (await examineServer(db, new Date())).filter(
      it => it.name === 'servers' && it.status === 'warning',
    )
  const one = await serveAt('https://go.example.org')
  const same = await serveAt('https://go.example.org')
  expect(await warnings()).toEqual([])
  const other = await serveAt('https://to.example.org')
  expect(await warnings()).toEqual([
    expect.objectContaining({
      says: expect.stringContaining('do not all have the same LINNET_BASE_URL'),
      remedy: expect.stringContaining('linnet config'),
    }),
  ])
  await other.close()
  await expect.poll(warnings).toEqual([])
  await Promise.all([one.close(), same.close(), close()])
})

it('the doctor compares the clock of this machine with that of the server', async () => {
  const { db, close } = await joinDatabase({ url: server.url() })
  const clock = async (laterMs: number) =>
    (await examineServer(db, new Date(Date.now() + laterMs))).find(({ name }) => name === 'clock')
  expect(await clock(0)).toMatchObject({ status: 'ok' })
  for (const minutes of [10, -10]) {
    expect(await clock(minutes * 60_000)).toMatchObject({
      status: 'warning',
      says: expect.stringMatching(
        /^The clock of this machine says 20.+Z, that of PostgreSQL 20.+Z\. Links open and end at different times/,
      ),
    })
  }
  await close()
})

it('the doctor says which links are closed on a server that lacks the plugin that protects them', async () => {
  const linnet = await boot(passwordProtection)
  const before = await examineClosedLinks(linnet.db, [])
  expect(before).toEqual([])
  await linnet.create({ password: 'open sesame' })
  const feature = 'link.passwordProtection'
  expect(await examineClosedLinks(linnet.db, [feature])).toEqual([])
  expect(await examineClosedLinks(linnet.db, [])).toMatchObject([
    {
      name: 'plugins',
      status: 'warning',
      says: expect.stringContaining(`${feature} does not run`),
    },
  ])
  await linnet.stop()
})
