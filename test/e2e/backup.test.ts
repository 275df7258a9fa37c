import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { linnet, start } from './program.ts'
import { createLink, type Server, serve } from './server.ts'

const env = ({ dataDir }: Server) => ({ LINNET_DATA_DIR: dataDir })
const restore = (server: Server, copy: string) => linnet(['restore', copy], { env: env(server) })

/** A server with a link, and a backup that does not have the link made after it. */
async function aHouse() {
  const server = await serve()
  const before = await createLink(server)
  const { code, stdout } = await linnet(['backup'], { env: env(server) })
  expect(code).toBe(0)
  const copy = stdout.trim()
  const after = await createLink(server)
  const follow = async (from: Server) =>
    Promise.all(
      [before, after].map(async ({ shortCode }) => (await from.get(`/${shortCode}`)).status),
    )
  return { server, copy, follow }
}

it('copies a database in use, and restores it once the server has stopped', async () => {
  const { server, copy, follow } = await aHouse()
  const refused = await restore(server, copy)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Another Linnet is running on this data folder')
  expect(await follow(server)).toEqual([302, 302])
  await server.kill('SIGTERM')

  const restored = await restore(server, basename(copy))
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const again = await serve({ dataDir: server.dataDir })
  expect(await follow(again)).toEqual([302, 404])
  await again.kill('SIGTERM')

  const kept = readdirSync(join(server.dataDir, 'backups')).find(it => it.startsWith('before-r'))
  expect(await restore(server, kept ?? '')).toMatchObject({ code: 0 })
  expect(await follow(await serve({ dataDir: server.dataDir }))).toEqual([302, 302])
})

it('restores over what kill -9 left, log and all', async () => {
  const { server, copy, follow } = await aHouse()
  await server.kill('SIGKILL')
  expect(existsSync(join(server.dataDir, 'linnet.db-wal'))).toBe(true)
  expect(await restore(server, copy)).toMatchObject({ code: 0 })
  expect(await follow(await serve({ dataDir: server.dataDir }))).toEqual([302, 404])
})

it('has the old database or the new one whenever a restore is killed', async () => {
  const { server, copy, follow } = await aHouse()
  await server.kill('SIGKILL')
  const found: number[][] = []
  for (const afterMs of [150, 250, 300, 350, 400, 500]) {
    const { child, exit } = start(['restore', copy], { env: env(server) })
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
    await exit
    clearTimeout(timer)
    const again = await serve({ dataDir: server.dataDir })
    found.push(await follow(again))
    await again.kill('SIGKILL')
  }
  const whole = [
    [302, 302],
    [302, 404],
  ]
  for (const state of found) expect(whole).toContainEqual(state)
})

it.each([
  ['garbage.db', /does not start as a SQLite database does/],
  ['nothing.db', /There is no .*nothing\.db, here or in .+ Name a copy\./],
])('refuses to restore %s, and changes nothing', async (name, why) => {
  const { server, follow } = await aHouse()
  await server.kill('SIGTERM')
  const path = join(server.dataDir, name)
  if (name === 'garbage.db') writeFileSync(path, 'garbage '.repeat(1_000))
  const { code, stderr } = await restore(server, path)
  expect(code).toBe(1)
  expect(stderr).toMatch(why)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(await follow(await serve({ dataDir: server.dataDir }))).toEqual([302, 302])
})

it('makes, gives and deletes backups over the API, on a thread of its own', async () => {
  const { server } = await aHouse()
  const { status, body } = await server.api('POST', '/admin/backups')
  expect([status, body]).toMatchObject([200, { data: { kind: 'manual' } }])
  const { name } = body.data
  const file = await server.api('GET', `/admin/backups/${name}`)
  expect(file.text.slice(0, 15)).toBe('SQLite format 3')
  expect((await server.get(`/api/v1/admin/backups/${name}`)).status).toBe(401)
  expect((await server.api('GET', '/admin/backups/..%2Flinnet.db')).status).toBe(404)

  const job = await server.api('POST', '/admin/jobs/storage.backup/run')
  expect([job.status, job.body.data]).toMatchObject([200, { outcome: 'succeeded', error: null }])
  expect(job.body.data.nextRunAt).toMatch(/T03:15:00.000Z$/)
  const list = await server.api('GET', '/admin/backups')
  expect(list.body.data.map(({ kind }: { kind: string }) => kind)).toContain('nightly')
  expect((await server.api('DELETE', `/admin/backups/${name}`)).status).toBe(204)
})
