import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { serve } from './server.ts'

itAtNight('visitors are answered while an account of many links is deleted', async () => {
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
  const given = await server.api('POST', `/admin/accounts/${admin}/hand-over`, { to: id })
  expect(given.status).toBe(200)

  let isOver = false
  const deleting = server.api('DELETE', `/admin/accounts/${id}`).finally(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    expect((await server.get('/unknown')).status).toBe(404)
    answered += 1
  }
  expect((await deleting).status).toBe(204)
  // In one statement, it was one or two.
  expect(answered).toBeGreaterThan(20)
})
