import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { connection } from './connection.ts'
import { createLinksUntilKilled, lostLinks, visitors, visitUntil } from './crash.ts'
import { start, temporaryFolder } from './program.ts'
import { createLink, serve, serverEnv } from './server.ts'

/** Visits gather for 250 ms; as long again is plenty for writing them down. */
const mostLostMs = 500

describe('kill -9', () => {
  it('loses no link that a client was told of, and the next start is ready in two seconds', async () => {
    let server = await serve()
    for (const afterMs of [50, 150, 400]) {
      const { links } = await createLinksUntilKilled(server, afterMs + Math.random() * 200)
      expect(links.size).toBeGreaterThan(0)
      server = await serve({ dataDir: server.dataDir })
      expect(server.readyMs).toBeLessThan(2_000)
      expect(await lostLinks(server, links)).toEqual([])
      expect(await lostLinks(server, new Map([['unknown', 'https://example.com/']]))).toHaveLength(
        1,
      )
    }
  })

  it('loses at most the visits that were not written yet, and the sums agree', async () => {
    const counted = await visitUntil('SIGKILL', 1_500)
    expect(counted.exit).toEqual({ code: null, signal: 'SIGKILL' })
    expect(counted.answeredBefore(mostLostMs)).toBeGreaterThan(100)
    expect(counted.stored).toBeGreaterThanOrEqual(counted.answeredBefore(mostLostMs))
    expect(counted.stored).toBeLessThanOrEqual(counted.answered + visitors)
    expect(new Set(counted.sums)).toEqual(new Set([counted.stored]))
  })

  it('leaves a folder that starts, also during the very first start', async () => {
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

describe('SIGTERM', () => {
  it('counts exactly the redirects that visitors got, and ends well', async () => {
    const counted = await visitUntil('SIGTERM', 1_000)
    expect(counted.exit).toEqual({ code: 0, signal: null })
    expect(counted.answered).toBeGreaterThan(100)
    expect(counted.stored).toBe(counted.answered)
    expect(new Set(counted.sums)).toEqual(new Set([counted.stored]))
  })

  it('ends within ten seconds, whatever clients keep open', async () => {
    const server = await serve()
    const { shortCode } = await createLink(server)
    const { port } = new URL(server.url)
    await server.get(`/${shortCode}`)
    await Promise.all([
      connection(port, ''),
      connection(port, 'GET /unfinished HTTP/1.1\r\nHost: x\r\n'),
      connection(port, 'POST /api/v1/links HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'),
    ])
    const toldAt = performance.now()
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(10_000)
  })
})
