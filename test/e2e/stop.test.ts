import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bundleWith } from './fixture-program.ts'
import { temporaryFolder } from './program.ts'
import { createLink, type Server, serve } from './server.ts'
import { sendVisitors } from './visitors.ts'

/** End a server by a signal and say how, and how long that took. */
async function end(server: Server, signal: NodeJS.Signals) {
  const toldAt = performance.now()
  const exit = await server.kill(signal)
  return { ...exit, seconds: (performance.now() - toldAt) / 1_000 }
}

describe('a stop', () => {
  it('ends within ten seconds whatever a plugin has begun, names it, and loses no visit', async () => {
    const program = await bundleWith('acme.hangs', 'hanging-plugin.ts')
    const pipe = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const server = await serve({ program, env: { ACME_PIPE: pipe } })
    const { id, shortCode } = await createLink(server)
    const begun = [
      server.api('POST', '/admin/jobs/acme.hangs.hang/run'),
      server.api('GET', '/hangs'),
    ].map(request => request.catch(() => undefined))
    await expect.poll(() => isRunning(server, 'acme.hangs.hang')).toBe(true)
    for (let visit = 0; visit < 20; visit += 1) await server.get(`/${shortCode}`)

    const { code, seconds } = await end(server, 'SIGTERM')
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(10)
    await Promise.all(begun)
    for (const what of [
      'The job acme.hangs.hang',
      'acme.hangs GET /hangs',
      'acme.hangs on.created',
    ]) {
      expect(server.log.map(({ message }) => message)).toContain(
        `${what} has not ended in time and is left behind`,
      )
    }
    await server.logged(/^acme\.hangs dispose failed: no answer within/)
    await server.logged(/^a file is under way and broken off$/)

    const again = await serve({ dataDir: server.dataDir })
    expect((await again.api('GET', `/links/${id}`)).body.data.visits.total).toBe(20)
  })

  it('is not hurried by the same signal twice, as a supervisor sends it to a process and its group', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await serve()
      const { id, shortCode } = await createLink(server)
      const visitors = sendVisitors(`${server.url}/${shortCode}`)
      await expect.poll(() => visitors.answeredAt.length).toBeGreaterThan(20)
      process.kill(server.pid, signal)
      process.kill(server.pid, signal)
      expect(await end(server, signal)).toMatchObject({ code: 0, signal: null })
      await visitors.stop()
      const again = await serve({ dataDir: server.dataDir })
      const { body } = await again.api('GET', `/links/${id}`)
      expect(body.data.visits.total).toBe(visitors.answeredAt.length)
      await again.kill('SIGTERM')
    }
  })

  it.each([
    ['SIGINT', 400],
    ['SIGTERM', 2_100],
  ] as const)('is broken off by another %s after %i ms', async (signal, ms) => {
    const program = await bundleWith('acme.hangs', 'hanging-plugin.ts')
    const server = await serve({ program })
    process.kill(server.pid, signal)
    await delay(ms)
    const { code, seconds } = await end(server, signal)
    expect(code).toBe(1)
    expect(seconds).toBeLessThan(1.5)
    await server.logged(new RegExp(`^${signal} again: stopping at once$`))
  })
})

async function isRunning(server: Server, name: string): Promise<boolean> {
  const { body } = await server.api('GET', '/admin/jobs')
  const jobs: readonly { name: string; running: boolean }[] = body.data
  return jobs.some(job => job.name === name && job.running)
}
