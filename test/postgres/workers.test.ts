import { execFileSync } from 'node:child_process'
import { get, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { expectVisits } from '../e2e/counted.ts'
import { linnet, temporaryFolder } from '../e2e/program.ts'
import {
  browser,
  createLink,
  type ServeOptions,
  type Server,
  serve,
  serverEnv,
  token,
} from '../e2e/server.ts'
import { url } from './own-server.ts'

const plugins = 'developer.apiKeys,developer.metrics,analytics.visitsTracking,link.editOriginalUrl'

describe('workers', () => {
  it('share a port, and all follow a change at once', async () => {
    const server = await serveByTwo()
    const { id, shortCode } = await createLink(server)
    await expect.poll(() => followedTo(server, shortCode, 10)).toEqual(['https://example.com/'])
    const moved = { original_url: 'https://example.com/moved' }
    const { status } = await server.api('PATCH', `/links/${id}`, moved)
    expect(status).toBe(200)
    // The others hear of it a moment later.
    await expect
      .poll(() => followedTo(server, shortCode, 20))
      .toEqual(['https://example.com/moved'])
  })

  itAtNight('lose no visit when they are told to stop, and say who they are', async () => {
    const server = await serveByTwo()
    const { id, shortCode } = await createLink(server)
    const visitAll = async () => {
      for (let visits = 0; visits < 40; visits += 1) await ask(server, `/${shortCode}`)
    }
    // The threads that count have begun then: a stop gives them only a moment for that.
    await visitAll()
    await expectVisits(server, id, 40)
    await visitAll()
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(server.log.at(-1)?.message).toBe('Stopped')
    const said = server.log.filter(({ message }) => message === 'Stopped').map(it => it.worker)
    expect(said.toSorted()).toEqual(['1', '2', undefined])
    expect(server.log.filter(({ message }) => /^Linnet is ready/.test(message))).toHaveLength(1)

    const alone = await serve({ dataDir: server.dataDir, env: { DATABASE_URL: url } })
    const visits = async () => (await alone.api('GET', `/links/${id}`)).body.data.visits.total
    await expect.poll(visits).toBe(80)
  })

  it('are started again when they end, and the others go on', async () => {
    const server = await serveByTwo()
    const { shortCode } = await createLink(server)
    const [, killed = 0] = workersOf(server)
    process.kill(killed, 'SIGKILL')
    await server.logged(/^Worker 2 ended with SIGKILL and is started again$/)
    expect(await followedTo(server, shortCode, 20)).toEqual(['https://example.com/'])
    await untilAllAnswer(server)
    expect(workersOf(server)).not.toContain(killed)
  })

  itAtNight('end with who started them, however that ends', async () => {
    const server = await serveByTwo()
    const workers = workersOf(server)
    await server.kill('SIGKILL')
    await expect.poll(() => workers.filter(isAlive)).toEqual([])
  })

  itAtNight('have one data folder and one port, which are theirs alone', async () => {
    const one = await serveByTwo()
    const env = { ...serverEnv(one.dataDir), DATABASE_URL: url }
    const second = await linnet(['serve'], { env })
    expect(second).toMatchObject({ code: 1 })
    expect(second.stderr).toMatch(/^Another Linnet is running on this data folder/)
    const elsewhere = { ...env, LINNET_DATA_DIR: temporaryFolder(), LINNET_WORKERS: '2' }
    const onPort = { ...elsewhere, LINNET_PORT: new URL(one.url).port }
    expect((await linnet(['serve'], { env: onPort })).stderr).toMatch(
      /^Port \d+ of 127.0.0.1 is used by another program\./,
    )
    const worker = await linnet(['serve', '--worker', '3'], { env })
    expect(worker).toMatchObject({ code: 1, stderr: 'Set LINNET_WORKERS instead of --worker.\n' })
  })

  it('are not started where the first one cannot be', async () => {
    const env = { ...serverEnv(temporaryFolder()), LINNET_WORKERS: '2' }
    const unknown = `${url.replace(/\/[^/]*$/, '')}/unknown`
    const { code, stderr } = await linnet(['serve'], { env: { ...env, DATABASE_URL: unknown } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^There is no such database.*\nThe first worker ended with 1\.\n$/)
  })
})

async function serveByTwo(options: ServeOptions = {}): Promise<Server> {
  const server = await serve({
    ...options,
    env: { DATABASE_URL: url, LINNET_WORKERS: '2', PLUGINS: plugins, ...options.env },
  })
  await untilAllAnswer(server)
  return server
}

/** Waits until every worker answers with its own metrics. */
async function untilAllAnswer(server: Server): Promise<void> {
  const seen = new Set<string | undefined>()
  const look = async () => {
    const { body } = await ask(server, '/api/v1/metrics')
    return seen.add(/worker="(\d+)"/.exec(body)?.[1])
  }
  await expect.poll(look).toEqual(new Set(['1', '2']))
}

/** Where new connections are redirected to; each may reach any worker. */
async function followedTo(server: Server, shortCode: string, times: number) {
  const found = new Set<string | undefined>()
  for (let time = 0; time < times; time += 1) {
    const { headers } = await ask(server, `/${shortCode}`)
    found.add(headers.location)
  }
  return [...found]
}

/** Asks over a new connection. */
async function ask(server: Server, path: string) {
  const headers = { 'user-agent': browser, authorization: `Bearer ${token}` }
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly headers: IncomingHttpHeaders
    readonly body: string
  }>()
  get(server.url + path, { agent: false, headers }, async answer =>
    resolve({ headers: answer.headers, body: await text(answer) }),
  ).on('error', reject)
  return promise
}

/** The process ids of the workers, in the order of their start. */
function workersOf({ pid }: Server): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' })
  return listed.trim().split(/\s+/).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
