import { describe, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { serve, token } from './server.ts'

const links = 250

/** As much as one link may have. */
const rules = Array.from({ length: 20 }, (_, rule) => ({
  name: `rule ${rule}`,
  original_url: `https://example.com/${'a'.repeat(820)}`,
  conditions: [{ type: 'os', operator: 'is', value: ['Android'] }],
}))

describe.skipIf(!canLimitMemory)('links of the largest size', () => {
  itAtNight(
    'do not end a server with 128 MiB, whether many list, change or follow them',
    async () => {
      const server = await serve({
        through: withMemory(128),
        env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
      })
      const original_url = `https://example.com/${'b'.repeat(8_000)}`
      const made: { readonly id: string; readonly shortCode: string }[] = []
      for (let link = 0; link < links; link += 1) {
        const { status, body } = await server.api('POST', '/links', {
          ...{ original_url, notes: 'c'.repeat(5_000), dynamic_routing: { rules } },
        })
        expect(status).toBe(201)
        made.push(body.data)
      }
      const lists = await Promise.all(
        Array.from({ length: 40 }, (_, client) =>
          server
            .get('/api/v1/links?per_page=100', {
              authorization: `Bearer ${token}`,
              'x-forwarded-for': `10.0.0.${client}`,
            })
            .then(({ status }) => status),
        ),
      )
      expect(lists).toContain(200)
      expect(lists.filter(status => status !== 200 && status !== 503)).toEqual([])
      const ids = made.slice(0, 100).map(({ id }) => id)
      const changes = await Promise.all(
        Array.from({ length: 20 }, (_, title) =>
          server
            .api('PATCH', '/links/bulk', { ids, title: `${title}` })
            .then(({ status }) => status),
        ),
      )
      expect(changes).toContain(200)
      expect(changes.filter(status => status !== 200 && status !== 503)).toEqual([])
      for (const { shortCode } of made) {
        expect((await server.get(`/${shortCode}`)).status).toBe(302)
      }
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    },
  )

  itAtNight(
    'do not end one whose clients of YOURLS list them, and are told to ask for fewer',
    async () => {
      const server = await serve({ through: withMemory(128), env: { MALLOC_ARENA_MAX: '1' } })
      const on = await server.api('PATCH', '/admin/plugins/developer.yourls', { enabled: true })
      expect(on.status).toBe(200)
      for (let link = 0; link < 1_200; link += 1) {
        const original_url = `https://example.com/${link}/${'b'.repeat(7_500)}`
        expect((await server.api('POST', '/links', { original_url })).status).toBe(201)
      }
      const list = async (query: string) => {
        const { status, text } = await server.get(
          `/yourls-api.php?signature=${token}&format=json&${query}`,
        )
        return { status, code: JSON.parse(text).code }
      }
      const tooLarge = { status: 413, code: 'error:payload_too_large' }
      // While memory is short, which all these links make it, a list gets 503.
      await expect.poll(() => list('action=shlink-list')).toEqual(tooLarge)
      await expect.poll(() => list('action=list&perpage=1000')).toEqual(tooLarge)
      await expect.poll(() => list('action=list&perpage=100')).toMatchObject({ status: 200 })
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    },
  )
})
