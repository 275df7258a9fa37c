import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { expectVisits } from './counted.ts'
import { holdWriteLock, untilVisitsAreCounted } from './crash.ts'
import { serveHanging } from './hanging.ts'
import { createLink, serve } from './server.ts'
import { sendVisitors } from './visitors.ts'

describe('a stop', () => {
  itAtNight('ends by itself whatever a plugin has begun, and loses no visit', async () => {
    const { server, begun } = await serveHanging()
    await untilVisitsAreCounted(server)
    const { id, shortCode } = await createLink(server)
    for (let visit = 0; visit < 20; visit += 1) await server.get(`/${shortCode}`)
    expect(await server.kill('SIGTERM')).toMatchObject({ signal: null })
    await begun
    await expectVisits(await serve({ dataDir: server.dataDir }), id, 20)
  })

  itAtNight(
    'is not hurried by the same signal twice, as a supervisor sends it to a process and its group',
    async () => {
      for (const signal of firstOf(1, ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)) {
        const server = await serve()
        await untilVisitsAreCounted(server)
        const { id, shortCode } = await createLink(server)
        const visitors = sendVisitors(`${server.url}/${shortCode}`)
        await expect.poll(() => visitors.answeredAt.length).toBeGreaterThan(20)
        process.kill(server.pid, signal)
        process.kill(server.pid, signal)
        expect(await server.kill(signal)).toEqual({ code: 0, signal: null })
        await visitors.stop()
        const again = await serve({ dataDir: server.dataDir })
        await expectVisits(again, id, visitors.answeredAt.length)
        await again.kill('SIGTERM')
      }
    },
  )

  itAtNight(
    'comes with the end of npx, which tells its shell of a signal and nobody else',
    async () => {
      const server = await serve({
        through: ['sh', '-c', '"$@"; exit 0', 'sh'],
        env: { npm_command: 'exec' },
      })
      await untilVisitsAreCounted(server)
      const { id, shortCode } = await createLink(server)
      await server.get(`/${shortCode}`)
      await server.kill('SIGTERM')
      await server.logged(/^SIGHUP: stopping$/)
      await server.logged(/^Stopped$/)
      await expectVisits(await serve({ dataDir: server.dataDir }), id, 1)
    },
  )

  it.each(
    firstOf(1, [
      ['SIGINT', 400],
      ['SIGTERM', 2_100],
    ] as const),
  )('is broken off by another %s after %i ms', async (signal, ms) => {
    const server = await serve()
    const { shortCode } = await createLink(server)
    // The stop waits longer than that for a visit that cannot be written.
    holdWriteLock(server)
    await server.get(`/${shortCode}`)
    process.kill(server.pid, signal)
    await server.logged(new RegExp(`^${signal}: stopping$`))
    await delay(ms)
    expect(await server.kill(signal)).toEqual({ code: 1, signal: null })
    await server.logged(new RegExp(`^${signal} again: exiting now$`))
  })
})
