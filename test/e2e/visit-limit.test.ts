import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { holdWriteLock } from './crash.ts'
import { createLink, type Server, serve } from './server.ts'

const limit = 100

itAtNight(
  'a limit lets through just as many visits as a link allows, over kill -9 too',
  async () => {
    const killed = await serve()
    const { shortCode } = await createLink(killed, { max_visits: limit })
    const first = visit(killed, shortCode)
    await Promise.race(first)
    await killed.kill('SIGKILL')
    const before = await Promise.all(first)

    const server = await serve({ dataDir: killed.dataDir })
    const after = await Promise.all(visit(server, shortCode))
    const redirects = [...before, ...after].filter(status => status === 302).length
    const unanswered = before.filter(status => status === undefined).length
    expect(before).toContain(302)
    expect(redirects).toBeLessThanOrEqual(limit)
    expect(redirects + unanswered).toBeGreaterThanOrEqual(limit)
    // On a busy machine, the guard may have been too late for some visits and may rest now: 503.
    await expect.poll(async () => (await server.get(`/${shortCode}`)).status).toBe(410)
  },
)

itAtNight(
  'whoever is told to come again has used up no visit, also while nothing can be written',
  async () => {
    const server = await serve()
    const { shortCode } = await createLink(server, { max_visits: 20 })
    const follow = async () => (await server.get(`/${shortCode}`)).status
    let led = 0
    for (let round = 1; round <= 2; round += 1) {
      await expect.poll(follow).toBe(302)
      led += 1
      const letGo = holdWriteLock(server)
      const seen = await Promise.all(Array.from({ length: 8 }, follow))
      expect(seen).toEqual(Array(8).fill(503))
      letGo()
    }
    const rest = async () => {
      const status = await follow()
      if (status === 302) led += 1
      return status
    }
    await expect.poll(rest, { interval: 1 }).toBe(410)
    expect(led).toBe(20)
  },
)

/** Twice as many simultaneous visits as the limit allows; undefined for one without an answer. */
function visit(server: Server, shortCode: string): readonly Promise<number | undefined>[] {
  return Array.from({ length: 2 * limit }, () =>
    server.get(`/${shortCode}`).then(
      ({ status }) => status,
      () => undefined,
    ),
  )
}
