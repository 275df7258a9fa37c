import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { firstOf, isNight } from '../at-night.ts'
import { connection } from './connection.ts'
import { temporaryFolder } from './program.ts'
import { type Server, serve, token } from './server.ts'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const portOf = ({ url }: Server) => new URL(url).port

/** The most memory that the process has had, in MiB: `VmHWM` of proc(5). */
function mostMemory({ pid }: Server): number {
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}

const isLinux = process.platform === 'linux'
const has = it.runIf(isLinux)

describe('clients that send many requests and read nothing', () => {
  it.runIf(isLinux).each(firstOf(1, ['true', 'false']))(
    'take hardly any memory, with LINNET_FAST_LANE=%s',
    async fastLane => {
      const server = await serve({ env: { LINNET_FAST_LANE: fastLane } })
      // Made when first asked for.
      expect((await server.get('/api/v1/openapi.json')).status).toBe(200)
      const before = mostMemory(server)
      const asked = ['/api/v1/openapi.json', '/nope', '/dashboard/', '/api/v1/links?per_page=100']
      for (const path of asked) {
        for (const requests of isNight ? [64, 400, 1_500] : [1_500]) {
          const text = get(path, `Authorization: Bearer ${token}\r\n`).repeat(requests)
          const sockets = await Promise.all(
            [1, 2, 3, 4].map(() => connection(portOf(server), text)),
          )
          for (const socket of sockets) socket.pause()
          expect((await server.get('/health/live')).status).toBe(200)
        }
      }
      // As many as one read can have, on each of many connections, whether or not their clients read.
      for (const reads of isNight ? [true, false] : [false]) {
        const text = get('/x').repeat(2_200)
        const sockets = await Promise.all(
          Array.from({ length: 400 }, () => connection(portOf(server), text)),
        )
        for (const socket of sockets) if (!reads) socket.pause()
        expect((await server.get('/health/live')).status).toBe(200)
        for (const socket of sockets) socket.destroy()
      }
      expect(mostMemory(server) - before).toBeLessThan(100)
      const { checks } = (await server.get('/health/ready')).body
      expect(checks.connections).toMatchObject({
        status: 'ok',
        note: expect.stringMatching(/cut off/),
      })
    },
  )
})

/** A plugin that opens files until there are no descriptors left, and closes them half a second later. */
const leaky = `
import { closeSync, openSync } from 'node:fs'
import { definePlugin, file } from 'linnet/plugin'
function handle() {
  const files = []
  let why
  while (!why) try { files.push(openSync('/etc/hostname')) } catch (error) { why = error.code }
  setTimeout(() => files.forEach(it => closeSync(it)), 500)
  return file('text/plain', why, 0)
}
export default definePlugin({ feature: 'acme.leaky', about: 'Leak.', mounts: { leaky: { handle } } })
`

has('a server without a descriptor left for half a second goes on', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/leaky.mjs'), leaky)
  const through = ['sh', '-c', 'ulimit -n 600; exec "$@"', 'sh']
  const server = await serve({ dataDir, through })
  const told = await server.get('/leaky')
  expect(told.text).toBe('EMFILE')
  await delay(1_000)
  expect((await server.get('/nothing')).status).toBe(404)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

describe('with 600 descriptors', () => {
  const through = ['sh', '-c', 'ulimit -n 600; exec "$@"', 'sh']

  has('idle connections leave enough for files and for others, and are told of', async () => {
    const server = await serve({ through, env: { LINNET_TRUSTED_PROXIES: '127.0.0.1' } })
    const page = await server.get('/dashboard/')
    const [, asset = ''] = /src="(\/dashboard\/assets\/[^"]+)"/.exec(page.text) ?? []
    // A client that is no proxy has fewer.
    await Promise.all(Array.from({ length: 200 }, () => connection(portOf(server), '')))
    expect((await server.get('/nothing')).status).toBe(404)
    expect(server.log.filter(({ message }) => /turned away/.test(message))).toEqual([])
    const isTold = () => server.log.some(it => /connection was turned away/.test(it.message))
    // On a busy machine the first of them are idle for so long that they make room for the last.
    while (!isTold())
      await Promise.all(Array.from({ length: 650 }, () => connection(portOf(server), '')))
    // A client that is turned away comes again.
    await expect
      .poll(() =>
        server.get(asset).then(
          it => it.status,
          () => 0,
        ),
      )
      .toBe(200)
    const health = () =>
      server.get('/health/ready').then(
        ({ body }) => [body.status, body.checks.connections.note],
        () => [],
      )
    await expect
      .poll(health)
      .toEqual([expect.stringMatching(/^(ok|degraded)$/), expect.stringMatching(/turned away/)])
  })

  it.runIf(isLinux && isNight)(
    'clients that ask for files without reading them do not end the server',
    async () => {
      const server = await serve({ through })
      const page = await server.get('/dashboard/')
      const [, asset = ''] = /src="(\/dashboard\/assets\/[^"]+)"/.exec(page.text) ?? []
      const text = get(asset).repeat(500)
      const sockets = await Promise.all(
        Array.from({ length: 230 }, (_, index) =>
          connection(portOf(server), index % 2 === 0 ? text : get(asset)),
        ),
      )
      for (const socket of sockets) socket.pause()
      await expect
        .poll(() =>
          server.get(asset).then(
            it => it.status,
            () => 0,
          ),
        )
        .toBe(200)
      for (const socket of sockets) socket.destroy()
      expect((await server.kill('SIGTERM')).code).toBe(0)
    },
  )
})
