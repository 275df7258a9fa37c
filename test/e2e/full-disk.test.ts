import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { firstOf, isNight } from '../at-night.ts'
import { expectVisits } from './counted.ts'
import { linnet, start, temporaryFolder } from './program.ts'
import { admin, createLink, type Server, serve, serverEnv } from './server.ts'
import { canMount, smallDisk } from './small-disk.ts'

const draft = { original_url: 'https://example.com/' }

/** Of each kind of what is written, into the database and beside it. */
const writes = [
  ['POST', '/links', draft],
  ['POST', '/tags', { name: 'News' }],
  ['POST', '/campaigns', { name: 'Spring' }],
  ['POST', '/admin/backups', undefined],
  ['PATCH', '/admin/brand', { name: 'Acme' }],
  ['PATCH', '/admin/features', { visitTrackingEnabled: false }],
  ['PATCH', '/admin/plans/free', { limits: { maxTrackedVisitsPerMonth: 9 } }],
  ['PATCH', '/admin/plugins/link.linkPreview', { enabled: false }],
] as const

it.skipIf(!canMount)(
  'a server starts on a full disk, follows links, answers 503 to whatever would be written, also beside the database, and goes on when there is room',
  async () => {
    const dataDir = smallDisk()
    const first = await serve({ dataDir })
    const { id, shortCode } = await createLink(first)
    await first.kill('SIGTERM')
    const letGo = fill(dataDir)

    const server = await serve({ dataDir })
    expect((await server.get(`/${shortCode}`)).status).toBe(302)
    expect(await server.api('GET', `/links/${id}`)).toMatchObject({ status: 200 })
    const refused = { status: 503, body: { code: 'unavailable' } }
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await server.api('POST', '/links', draft)).toMatchObject(refused)
    }
    const { status, body } = await server.get('/health/ready')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        checks: {
          storage: { note: 'Links work, but nothing can be written: the disk is full.' },
        },
      },
    })

    letGo()
    await expect.poll(() => statusOfWrite(server)).toBe(201)
    const health = async () => (await server.get('/health/ready')).body.status
    await expect.poll(health).toBe('ok')
    await expectVisits(server, id, 1)
    await server.logged(/^The disk has free space again/)

    const letGoAgain = fill(dataDir)
    for (const [method, path, body] of writes) {
      const { status, body: answer } = await server.api(method, path, body)
      expect({ path, status, code: answer.code }).toEqual({
        path,
        status: 503,
        code: 'unavailable',
      })
    }
    letGoAgain()
    await expect.poll(() => statusOfWrite(server)).toBe(201)
    for (const [method, path, body] of writes) {
      expect((await server.api(method, path, body)).status).toBeLessThan(300)
    }
  },
)

it.runIf(canMount && isNight)(
  'says that a new disk has no room for the reserve, and makes it later',
  async () => {
    const dataDir = smallDisk()
    const letGo = fill(dataDir, 2 * 1024 * 1024)
    const server = await serve({ dataDir })
    await server.logged(/^The disk is too full to reserve the space/)
    letGo()
    await expect.poll(() => existsSync(join(dataDir, 'linnet.reserve'))).toBe(true)
  },
)

it.runIf(canMount && isNight)(
  'goes on without a log while the disk of the log is full',
  async () => {
    const logFile = join(smallDisk(), 'linnet.log')
    const { exit, child, said } = logInto(logFile)
    const url = () => /"url":"([^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1]
    await expect.poll(url).toBeDefined()
    const refused = async () => {
      const headers = { authorization: 'Bearer lnt_wrong' }
      expect((await fetch(`${url()}/api/v1/links`, { headers })).status).toBe(401)
    }
    const letGo = fill(dirname(logFile))
    // What is left of the last page of the log is taken too.
    expect(() => {
      for (;;) appendFileSync(logFile, '#')
    }).toThrow('ENOSPC')
    const { size } = statSync(logFile)
    for (let time = 0; time < 3; time += 1) await refused()
    expect(statSync(logFile).size).toBe(size)
    letGo()
    await refused()
    expect(readFileSync(logFile, 'utf8').slice(size)).toMatch(/^\{.+An API token was refused"\}\n$/)
    child.kill('SIGTERM')
    expect(await exit).toEqual({ code: 0, signal: null })
    expect(await said).toMatch(/^Not all output could be written: ENOSPC: .+\n$/)
  },
)

it.runIf(canMount && isNight)('starts on a full disk again and again', async () => {
  const dataDir = smallDisk()
  const first = await serve({ dataDir })
  const { shortCode } = await createLink(first)
  await first.kill('SIGTERM')
  fill(dataDir)
  for (const signal of firstOf(2, ['SIGKILL', 'SIGTERM', 'SIGTERM'] as const)) {
    const server = await serve({ dataDir })
    expect((await server.get(`/${shortCode}`)).status).toBe(302)
    expect(await statusOfWrite(server)).toBe(503)
    await server.kill(signal)
  }
})

it.runIf(canMount && isNight)(
  'control: does not start on a full disk without its reserve, and says what to do',
  async () => {
    const dataDir = smallDisk()
    await (await serve({ dataDir })).kill('SIGTERM')
    rmSync(join(dataDir, 'linnet.reserve'))
    fill(dataDir)
    const { code, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/linnet\.db cannot be opened: .+ Check whether its disk is full/)
    expect(stderr).not.toMatch(/\n\s+at /)
  },
)

it.runIf(canMount && isNight)('a backup on a full disk fails and leaves no file', async () => {
  const dataDir = smallDisk()
  const server = await serve({ dataDir })
  await createLink(server)
  fill(dataDir)
  const { code, stderr } = await linnet(['backup'], { env: serverEnv(dataDir) })
  expect(code).toBe(1)
  expect(stderr).toMatch(/Check whether (its|the) disk is full/)
  expect((await server.api('GET', '/admin/backups')).body.data).toEqual([])
})

it.runIf(canMount && isNight)(
  'a restore without room for what it keeps leaves nothing, and says how much it needs',
  async () => {
    const dataDir = smallDisk()
    const server = await serve({ dataDir })
    await createLink(server)
    const { name } = (await server.api('POST', '/admin/backups')).body.data
    await server.kill('SIGTERM')
    const copy = join(temporaryFolder(), 'copy.db')
    copyFileSync(join(dataDir, 'backups', name), copy)
    const before = namesIn(dataDir)
    fill(dataDir, statSync(copy).size + 512 * 1024)
    const { code, stderr } = await linnet(['restore', '--yes', copy], { env: serverEnv(dataDir) })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /linnet\.db could not be kept .+ nothing was changed: ENOSPC.+ needs \d+ bytes .+\n$/,
      ),
    })
    rmSync(join(dataDir, 'ballast'))
    expect(namesIn(dataDir)).toEqual(before)
  },
)

it.runIf(canMount && isNight)(
  'the doctor does not blame the way to the server for a full disk',
  async () => {
    const dataDir = smallDisk()
    const server = await serve({ dataDir })
    fill(dataDir)
    const env = {
      ...serverEnv(dataDir),
      LINNET_PORT: new URL(server.url).port,
      LINNET_BASE_URL: server.url,
    }
    const { stdout } = await linnet(['doctor'], { env })
    expect(stdout).toMatch(
      /^warning +proxies +This was not tested, since the API token for it could not be written: /m,
    )
    expect(stdout).not.toContain('Check that this machine can open')
  },
)

it.runIf(canMount && isNight)(
  'commands on a full disk say in a sentence that it may be full',
  async () => {
    const dataDir = smallDisk()
    await serve({ dataDir })
    fill(dataDir)
    for (const command of [
      ['plugins', 'off', 'link.linkPreview'],
      ['token', 'create', '--account', admin.email],
    ]) {
      const { code, stdout, stderr } = await linnet(command, { env: serverEnv(dataDir) })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^This cannot be done now: .+ Check whether the disk is full or .+\n$/)
    }
  },
)

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}

async function statusOfWrite(server: Server): Promise<number> {
  return (await server.api('POST', '/links', draft)).status
}

/** Takes the free space, but for what is to be left; returns a function that frees it. */
function fill(folder: string, leftBytes = 0): () => void {
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - leftBytes, 1))
  expect(statSync(ballast).size).toBeGreaterThan(0)
  expect(statfsSync(folder).bavail * bsize).toBe(leftBytes)
  return () => rmSync(ballast)
}

/** A server that writes its log into a file. */
function logInto(file: string) {
  const { child, exit } = start(['serve'], {
    env: { ...serverEnv(temporaryFolder()), LOG: file },
    through: ['sh', '-c', 'exec "$@" >> "$LOG"', 'sh'],
  })
  return { child, exit, said: text(child.stderr) }
}

it.runIf(canMount && isNight)(
  'an import on a full disk says so, and goes on when there is room, with nothing twice',
  async () => {
    const dataDir = smallDisk()
    const server = await serve({ dataDir })
    await server.kill('SIGTERM')
    const file = join(temporaryFolder(), 'links.csv')
    const links = 20_000
    const rows = Array.from({ length: links }, (_, at) => `code-${at},https://example.com/${at},2`)
    writeFileSync(file, `code,originalUrl,visits\n${rows.join('\n')}\n`)
    const importing = () =>
      linnet(['import', 'csv', file, '--account', admin.email], { env: serverEnv(dataDir) })
    const full = await importing()
    expect(full.code).not.toBe(0)
    expect(full.stderr).toMatch(/disk (of the server )?is full/)
    execFileSync('mount', ['-o', 'remount,size=200m', dataDir])
    // What the full disk kept it from noting is taken over after half a minute.
    await delay(31_000)
    const done = await importing()
    expect(done).toMatchObject({ code: 0, stderr: '' })
    const next = await serve({ dataDir })
    const least = async () => (await next.api('GET', '/links?per_page=1&sort=visits')).body
    expect((await least()).meta.total).toBe(links)
    await expect.poll(async () => (await least()).data[0].visits.total).toBe(2)
    const most = (await next.api('GET', '/links?per_page=1&sort=-visits')).body
    expect(most.data[0].visits.total).toBe(2)
  },
)
