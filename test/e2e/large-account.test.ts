import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { type Answer, serve } from './server.ts'

itAtNight(
  'visitors are answered while an account of many links hands them over and is deleted',
  async () => {
    const server = await serve()
    const eve = await server.api('POST', '/admin/accounts', {
      email: 'eve@example.org',
      password: 'correct horse battery staple',
      plan: 'unlimited',
    })
    const { id } = eve.body.data
    const links = Array.from({ length: 100 }, () => ({ original_url: 'https://example.com/' }))
    for (let part = 0; part < 100; part += 1) await server.api('POST', '/links/bulk', { links })
    const admin = (await server.api('GET', '/profile')).body.data.id
    /** How many visitors are answered until it is done. */
    async function answeredUntil(done: Promise<Answer>, status: number): Promise<number> {
      let isOver = false
      const over = done.finally(() => {
        isOver = true
      })
      let answered = 0
      while (!isOver) {
        expect((await server.get('/unknown')).status).toBe(404)
        answered += 1
      }
      expect((await over).status).toBe(status)
      return answered
    }

    // In one statement each, it was one or two.
    const handingOver = server.api('POST', `/admin/accounts/${admin}/hand-over`, { to: id })
    expect(await answeredUntil(handingOver, 200)).toBeGreaterThan(20)
    const deleting = server.api('DELETE', `/admin/accounts/${id}`)
    expect(await answeredUntil(deleting, 204)).toBeGreaterThan(20)
  },
)

itAtNight('a server that is killed while it deletes an account goes on afterwards', async () => {
  let server = await serve()
  const eve = await server.api('POST', '/admin/accounts', {
    email: 'eve@example.org',
    password: 'correct horse battery staple',
    plan: 'unlimited',
  })
  const { id } = eve.body.data
  const admin = (await server.api('GET', '/profile')).body.data.id
  const links = Array.from({ length: 100 }, () => ({ original_url: 'https://example.com/' }))
  for (let part = 0; part < 20; part += 1) await server.api('POST', '/links/bulk', { links })
  await server.api('POST', `/admin/accounts/${admin}/hand-over`, { to: id })
  const deleting = server.api('DELETE', `/admin/accounts/${id}`).catch(() => undefined)
  const shown = () => server.api('GET', `/admin/accounts/${id}`)
  await expect.poll(async () => (await shown()).body.data.suspendedAt).toBeTruthy()
  await server.kill('SIGKILL')
  await deleting
  server = await serve({ dataDir: server.dataDir })
  expect((await shown()).body.data.linksClosed).toBe(true)
  expect((await server.api('POST', '/admin/jobs/accounts.finishDeletions/run')).status).toBe(200)
  await expect.poll(async () => (await shown()).status, { timeout: 20_000 }).toBe(404)
})
