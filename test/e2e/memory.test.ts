import { expect, it } from 'vitest'
import { everythingAtOnce, makeLinks } from './everything-at-once.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { serve } from './server.ts'

it.skipIf(!canLimitMemory)(
  'a server with 160 MiB, which counts cities, answers everything at once',
  async () => {
    const server = await serve({
      through: withMemory(160),
      env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
    })
    await makeLinks(server, 300)
    let asked = 0
    const { answered, wrong } = await everythingAtOnce(server, 300, () => ++asked > 4_000)
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
