import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { copyDatabase } from '../inside.ts'
import { copiesOnce, runJob } from './long-work.ts'
import { linnet, start, temporaryFolder } from './program.ts'
import { createLink, type Server, serve } from './server.ts'

type Folder = Pick<Server, 'dataDir'>

const env = ({ dataDir }: Folder) => ({ LINNET_DATA_DIR: dataDir })
const restore = (folder: Folder, copy: string) => linnet(['restore', copy], { env: env(folder) })

/** Changes one of everything that an admin can change at run time. */
async function changeSettings(server: Server, name: string, limit: number, enabled: boolean) {
  const changes = [
    ['brand', { name }],
    ['plans/free', { limits: { maxTrackedVisitsPerMonth: limit } }],
    ['features', { visitTrackingEnabled: enabled }],
    ['plugins/link.linkPreview', { enabled }],
  ] as const
  for (const [path, body] of changes) {
    expect(await server.api('PATCH', `/admin/${path}`, body)).toMatchObject({ status: 200 })
  }
}

/** The settings that the server uses, in the order of the arguments above. */
async function settingsOf(server: Server) {
  const read = async (path: string) => (await server.api('GET', `/admin/${path}`)).body.data
  const { name } = await read('brand')
  const free = (await read('plans')).find(({ slug }: { slug: string }) => slug === 'free')
  const { visitTrackingEnabled } = await read('features')
  const preview = (await read('plugins')).find(
    ({ feature }: { feature: string }) => feature === 'link.linkPreview',
  )
  return [name, free.limits.maxTrackedVisitsPerMonth, visitTrackingEnabled, preview.enabled]
}

const made = mkdtempSync(join(tmpdir(), 'linnet-e2e-'))
let links: ReturnType<typeof makeInstance> | undefined
afterAll(() => rmSync(made, { recursive: true }))

/** A link, a brand and a backup, then another link and brand that the backup lacks; then kill -9. */
async function makeInstance() {
  const server = await serve({ dataDir: made })
  const before = await createLink(server)
  await server.api('PATCH', '/admin/brand', { name: 'Old' })
  expect(await linnet(['backup'], { env: env(server) })).toMatchObject({ code: 0 })
  const after = await createLink(server)
  await server.api('PATCH', '/admin/brand', { name: 'New' })
  await server.kill('SIGKILL')
  return { before, after }
}

/** A copy of that folder for each test, without a server; the folder is made once. */
async function anInstance() {
  links ??= makeInstance()
  const { before, after } = await links
  const dataDir = temporaryFolder()
  cpSync(made, dataDir, { recursive: true })
  const [copy = ''] = readdirSync(join(dataDir, 'backups'))
  return {
    dataDir,
    copy: join(dataDir, 'backups', copy),
    async follow(from: Server) {
      const { status: first } = await from.get(`/${before.shortCode}`)
      const { status: second } = await from.get(`/${after.shortCode}`)
      return [first, second, (await from.api('GET', '/admin/brand')).body.data.name]
    },
  }
}

itAtNight('copies into another folder, which must exist, and restores from it', async () => {
  const { dataDir, follow } = await anInstance()
  const server = await serve({ dataDir })
  const elsewhere = temporaryFolder()
  const made = await linnet(['backup', '--to', elsewhere], { env: env(server) })
  expect(made.stdout).toBe(`${join(elsewhere, readdirSync(elsewhere)[0] ?? '')}\n`)
  expect(readdirSync(elsewhere)).toEqual([expect.stringMatching(/^manual-\d{8}T\d{6}Z\.db$/)])

  const missing = join(elsewhere, 'nothing')
  const refused = await linnet(['backup', '--to', missing], { env: env(server) })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(`There is no folder ${missing}. Create it, or mount its disk`)

  await server.kill('SIGTERM')
  expect(await restore(server, made.stdout.trim())).toMatchObject({ code: 0 })
  expect(await follow(await serve({ dataDir: server.dataDir }))).toEqual([302, 302, 'New'])
})

it('copies a database in use, and restores it once the server has stopped', async () => {
  const { dataDir, copy, follow } = await anInstance()
  const server = await serve({ dataDir })
  const refused = await restore(server, copy)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Another Linnet is running on this data folder')
  expect(await follow(server)).toEqual([302, 302, 'New'])
  await server.kill('SIGTERM')

  const restored = await restore(server, basename(copy))
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const again = await serve({ dataDir: server.dataDir })
  expect(await follow(again)).toEqual([302, 404, 'Old'])
})

itAtNight(
  'says what a restore would change, also while the server runs, by the command and the API',
  async () => {
    const { dataDir, copy, follow } = await anInstance()
    const server = await serve({ dataDir })
    const dry = await linnet(['restore', '--dry-run', copy], { env: env(server) })
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toContain('1 link created since the backup would be deleted.')
    expect(dry.stdout).toContain('These settings would be changed back: brand.')
    const { body } = await server.api('GET', `/admin/backups/${basename(copy)}/preview`)
    expect(body.data.links).toMatchObject({ lost: 1, returned: 0, reverted: 0 })
    expect(await follow(server)).toEqual([302, 302, 'New'])
  },
)

itAtNight(
  'a server makes a whole copy for each who asks in the same second, by the command and the API',
  async () => {
    const server = await serve()
    const { shortCode } = await createLink(server)
    const command = () => linnet(['backup'], { env: env(server) })
    const [api, ...commands] = await Promise.all([
      server.api('POST', '/admin/backups'),
      command(),
      command(),
      command(),
    ])
    expect(api.status).toBe(200)
    expect(commands).toMatchObject(Array(3).fill({ code: 0, stderr: '' }))
    const copies = await copiesOnce(server, 4)
    const told = commands.map(({ stdout }) => basename(stdout.trim()))
    expect(new Set(told).size).toBe(3)
    expect(copies).toEqual(expect.arrayContaining(told))
    for (const copy of copies) {
      const path = join(server.dataDir, 'backups', copy)
      const database = new BetterSqlite3(path, { readonly: true })
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
      expect(database.prepare('select code from short_codes').pluck().all()).toEqual([shortCode])
      database.close()
    }
    await server.kill('SIGTERM')
    const byApi = copies.find(copy => !told.includes(copy)) ?? ''
    expect(await restore(server, byApi)).toMatchObject({ code: 0 })
    const restored = await serve({ dataDir: server.dataDir })
    expect((await restored.get(`/${shortCode}`)).status).toBe(302)
  },
)

itAtNight('restores over what kill -9 left, log and all, which a restore brings back', async () => {
  const { dataDir, copy, follow } = await anInstance()
  expect(existsSync(join(dataDir, 'linnet.db-wal'))).toBe(true)
  expect(await restore({ dataDir }, copy)).toMatchObject({ code: 0 })
  const again = await serve({ dataDir })
  expect(await follow(again)).toEqual([302, 404, 'Old'])
  await again.kill('SIGTERM')

  const kept = readdirSync(join(dataDir, 'backups')).find(it => it.startsWith('before-r'))
  expect(await restore({ dataDir }, kept ?? '')).toMatchObject({ code: 0 })
  expect(await follow(await serve({ dataDir }))).toEqual([302, 302, 'New'])
})

itAtNight(
  'a data folder has the old database or the new one whenever a restore is killed',
  async () => {
    const { dataDir, copy, follow } = await anInstance()
    const found: unknown[][] = []
    for (const afterMs of firstOf(3, [200, 300, 400, 150, 250, 350, 500])) {
      const { child, exit } = start(['restore', copy], { env: env({ dataDir }) })
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      await exit
      clearTimeout(timer)
      const again = await serve({ dataDir })
      found.push(await follow(again))
      await again.kill('SIGKILL')
    }
    const whole = [
      [302, 302, 'New'],
      [302, 404, 'Old'],
    ]
    for (const state of found) expect(whole).toContainEqual(state)
  },
)

itAtNight(
  'a restore brings back what an admin had changed at run time with the database it belongs to',
  async () => {
    const server = await serve()
    await changeSettings(server, 'Old', 1_000, false)
    const old = (await linnet(['backup'], { env: env(server) })).stdout.trim()
    await changeSettings(server, 'New', 2_000, true)
    await server.kill('SIGTERM')

    const restored = await restore(server, old)
    expect(restored.stdout).toContain('The settings of the backup are restored too')
    const again = await serve({ dataDir: server.dataDir })
    expect(await settingsOf(again)).toEqual(['Old', 1_000, false, false])
    await again.kill('SIGTERM')

    const kept = /kept as (.+)/.exec(restored.stdout)?.[1] ?? ''
    expect(await restore(server, kept)).toMatchObject({ code: 0 })
    const asItWas = await serve({ dataDir: server.dataDir })
    expect(await settingsOf(asItWas)).toEqual(['New', 2_000, true, true])
  },
)

itAtNight(
  'restores a copy that was made without settings, leaves them as they are and says so',
  async () => {
    const { dataDir, follow } = await anInstance()
    const copy = join(dataDir, 'backups', 'before.db')
    await copyDatabase(join(dataDir, 'linnet.db'), copy)
    const { code, stdout } = await restore({ dataDir }, copy)
    expect(code).toBe(0)
    expect(stdout).toContain('The backup contains no settings, so settings.json is unchanged.')
    const again = await serve({ dataDir })
    expect(await follow(again)).toEqual([302, 302, 'New'])
  },
)

itAtNight('refuses to restore what is no backup or is not there, and changes nothing', async () => {
  const { dataDir, follow } = await anInstance()
  const garbage = join(dataDir, 'garbage.db')
  writeFileSync(garbage, 'garbage '.repeat(1_000))
  const reasons = [
    [dataDir, /is not a file\. Name a backup\./],
    ['', /is not a file\. Name a backup\./],
    [garbage, /does not start as a SQLite database does/],
    [
      join(dataDir, 'nothing.db'),
      /There is no backup .*nothing\.db, here or in .+\. The newest there is manual-\S+\.db\./,
    ],
  ] as const
  for (const [path, why] of reasons) {
    const { code, stderr } = await restore({ dataDir }, path)
    expect(code).toBe(1)
    expect(stderr).toMatch(why)
    expect(stderr).not.toMatch(/\n\s+at /)
  }
  expect(await follow(await serve({ dataDir }))).toEqual([302, 302, 'New'])
})

it('makes, gives and deletes backups over the API, on a thread of its own', async () => {
  const { dataDir } = await anInstance()
  const server = await serve({ dataDir })
  const [earlier] = await copiesOnce(server, 1)
  expect((await server.api('POST', '/admin/backups')).status).toBe(200)
  const name = (await copiesOnce(server, 2)).find(it => it !== earlier)
  expect(name).toMatch(/^manual-/)
  const file = await server.api('GET', `/admin/backups/${name}`)
  expect(file.text.slice(0, 15)).toBe('SQLite format 3')
  expect((await server.get(`/api/v1/admin/backups/${name}`)).status).toBe(401)
  expect((await server.api('GET', '/admin/backups/..%2Flinnet.db')).status).toBe(404)

  const job = await runJob(server, 'storage.backup')
  expect(job).toMatchObject({ outcome: 'succeeded', error: null })
  expect(job.nextRunAt).toMatch(/T03:15:00.000Z$/)
  const list = await server.api('GET', '/admin/backups')
  expect(list.body.data.map(({ kind }: { kind: string }) => kind)).toContain('nightly')
  expect((await server.api('DELETE', `/admin/backups/${name}`)).status).toBe(204)
})
