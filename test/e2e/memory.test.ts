import { describe, expect, it } from 'vitest'
import { isNight, itAtNight } from '../at-night.ts'
import { everythingAtOnce, makeLinks } from './everything-at-once.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { createLink, serve } from './server.ts'

it.skipIf(!canLimitMemory)(
  'a server with 160 MiB, which counts cities, answers everything at once',
  async () => {
    const server = await serve({
      through: withMemory(160),
      env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
    })
    await makeLinks(server, 300)
    const most = isNight ? 4_000 : 2_000
    let asked = 0
    const { answered, wrong } = await everythingAtOnce(server, 300, () => ++asked > most)
    expect(wrong).toEqual([])
    expect(Object.keys(answered).sort()).toEqual([
      'create',
      'dashboard',
      'read',
      'unknown',
      'visit',
    ])
    const { body } = await server.get('/health/ready')
    expect(body.status).not.toBe('failing')
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  },
)

describe.skipIf(!canLimitMemory)('a server with 128 MiB', () => {
  itAtNight('stays while twenty clients guess passwords', async () => {
    const server = await serve({
      through: withMemory(128),
      atFullCost: true,
      env: { LINNET_TRUSTED_PROXIES: '1' },
    })
    const { shortCode } = await createLink(server, { password: 'open sesame' })
    const guess = (client: number, turn: number) => {
      const headers = { 'x-forwarded-for': `192.0.${client}.${turn}` }
      const password = `wrong wrong ${turn}`
      return client % 2 === 0
        ? server.api('POST', '/session', { email: 'ada@example.org', password }, headers)
        : fetch(`${server.url}/${shortCode}`, {
            method: 'POST',
            headers,
            body: new URLSearchParams({ password }),
          })
    }
    const statuses = new Set<number>()
    await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        for (let turn = 1; turn <= 15; turn += 1) statuses.add((await guess(client, turn)).status)
      }),
    )
    expect([...statuses].filter(status => ![401, 403, 422, 429, 503].includes(status))).toEqual([])
    expect((await server.get('/health/ready')).body.status).not.toBe('failing')
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
