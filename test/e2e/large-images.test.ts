import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { createLink, serve } from './server.ts'

describe.skipIf(!canLimitMemory)('large images', () => {
  itAtNight(
    'do not end a server with 128 MiB, whether many are uploaded or drawn at once',
    async () => {
      const server = await serve({ through: withMemory(128), env: { MALLOC_ARENA_MAX: '1' } })
      const { id } = await createLink(server)
      const empty = PNG.sync.write(new PNG({ width: 256, height: 256 }))
      const image = `data:image/png;base64,${empty.toString('base64')}`
      const kinds = [
        () => server.api('POST', '/qr-logo', { image }),
        () => server.api('GET', `/links/${id}/qr?format=png&size=2048&shape=rounded`),
        () => server.api('POST', '/qr-sheets', { link_ids: [id] }),
      ]
      for (const ask of kinds) {
        const answers = await Promise.all(
          Array.from({ length: 40 }, () => ask().then(({ status }) => status)),
        )
        const good = answers.filter(status => status === 200 || status === 201)
        expect(good.length).toBeGreaterThan(0)
        expect(answers.filter(status => status !== 503)).toEqual(good)
      }
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    },
  )
})
