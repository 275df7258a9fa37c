import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { createLink, serve } from './server.ts'

// In memory, what one writes is seen by all at once. On a disk it is not before it is flushed.
itAtNight(
  'a link that many make or change at the same moment is one, and nobody who changes it is refused',
  async () => {
    const server = await serve()
    const original = (n: number) => `https://example.com/${n}`
    const together = async (ask: (n: number) => Promise<{ readonly status: number }>) => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)))
      return answers.map(({ status }) => status).sort()
    }
    const put = (id: string, originalUrl: string) =>
      server.api('PUT', `/links/by-external-id/${id}`, { original_url: originalUrl })
    const once = [...Array(19).fill(200), 201]
    for (let round = 0; round < 3; round += 1) {
      expect(await together(() => put(`same-${round}`, original(0)))).toEqual(once)
      expect(await together(n => put(`other-${round}`, original(n)))).toEqual(once)
    }
    const { id } = await createLink(server)
    const change = (n: number) => server.api('PATCH', `/links/${id}`, { title: `${n}` })
    expect(await together(change)).toEqual(Array(20).fill(200))
  },
)
