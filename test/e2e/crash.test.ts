import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { connection } from './connection.ts'
import {
  createLinksUntilKilled,
  lostLinks,
  untilVisitsAreCounted,
  visitors,
  visitUntil,
  visitUntilWritten,
} from './crash.ts'
import { start, temporaryFolder } from './program.ts'
import { repeatAfterKill } from './repeated-requests.ts'
import { createLink, serve, serverEnv } from './server.ts'

describe('a server that is killed', () => {
  it('loses no link that a client was told of', async () => {
    let server = await serve()
    let promised = 0
    for (const afterMs of firstOf(1, [400, 100, 700])) {
      const links = await createLinksUntilKilled(server, afterMs + Math.random() * 200)
      promised += links.size
      server = await serve({ dataDir: server.dataDir })
      expect(await lostLinks(server, links)).toEqual([])
    }
    expect(promised).toBeGreaterThan(0)
    expect(await lostLinks(server, new Map([['unknown', 'https://example.com/']]))).toHaveLength(1)
  })

  itAtNight('loses at most the visits that were not written yet, and the sums agree', async () => {
    const { before, written, answered, stored, sums } = await visitUntilWritten()
    expect(written).toBeGreaterThanOrEqual(before)
    expect(stored).toBe(written)
    expect(stored).toBeLessThanOrEqual(answered + visitors)
    expect(new Set(sums)).toEqual(new Set([stored]))
  })

  itAtNight(
    'makes no link twice for an Idempotency-Key, and answers as it would have',
    async () => {
      let server = await serve()
      for (const afterMs of firstOf(1, [300, 150, 450])) {
        const repeated = await repeatAfterKill(server, afterMs + Math.random() * 100, {
          keyed: true,
        })
        expect(repeated).toMatchObject({ wrong: [], twice: [] })
        expect(repeated.madeUnheard + repeated.unmade).toBeGreaterThan(0)
        server = repeated.server
      }
    },
  )

  itAtNight('leaves a folder that starts, also during the very first start', async () => {
    const dataDir = temporaryFolder()
    for (const afterMs of [150, 200, 250, 300, 350]) {
      const { child, exit } = start(['serve'], { env: serverEnv(dataDir) })
      await delay(afterMs)
      child.kill('SIGKILL')
      await exit
    }
    await createLink(await serve({ dataDir }))
  })
})

describe('a server that gets SIGTERM', () => {
  it('counts exactly the redirects that visitors got, and ends well', async () => {
    const { exit, answered, stored, sums } = await visitUntil('SIGTERM', 1_000)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(answered).toBeGreaterThan(0)
    expect(stored).toBe(answered)
    expect(new Set(sums)).toEqual(new Set([stored]))
  })

  itAtNight('ends by itself, whatever clients keep open', async () => {
    const server = await serve()
    await untilVisitsAreCounted(server)
    const { shortCode } = await createLink(server)
    const { port } = new URL(server.url)
    await server.get(`/${shortCode}`)
    await Promise.all([
      connection(port, ''),
      connection(port, 'GET /unfinished HTTP/1.1\r\nHost: x\r\n'),
      connection(port, 'POST /api/v1/links HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'),
    ])
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
