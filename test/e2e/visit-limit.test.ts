import { expect, it } from 'vitest'
import { createLink, type Server, serve } from './server.ts'

const limit = 100

it('a limit lets through just as many visits as a link allows, over kill -9 too', async () => {
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
})

/** Twice as many simultaneous visits as the limit allows; undefined for one without an answer. */
function visit(server: Server, shortCode: string): readonly Promise<number | undefined>[] {
  return Array.from({ length: 2 * limit }, () =>
    server.get(`/${shortCode}`).then(
      ({ status }) => status,
      () => undefined,
    ),
  )
}
