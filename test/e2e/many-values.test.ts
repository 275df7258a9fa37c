import { Agent, request } from 'node:http'
import { describe, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { makeLinks } from './everything-at-once.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { browser, serve } from './server.ts'

const links = 1_200
const visits = 4_000

describe.skipIf(!canLimitMemory)('the counting thread of a server with 192 MiB', () => {
  itAtNight(
    'counts thousands of different long queries, and does not run out of memory',
    async () => {
      const server = await serve({
        through: withMemory(192),
        env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
      })
      await makeLinks(server, links)
      const agent = new Agent({ keepAlive: true, maxSockets: 60 })
      let next = 0
      async function visitOn(): Promise<void> {
        for (let turn = next++; turn < visits; turn = next++) {
          const query = `utm_source=${turn}&q=${'x'.repeat(turn % 1_500)}`
          await visit(`${server.url}/link-${(turn * 7_919) % links}?${query}`, turn, agent)
        }
      }
      await Promise.all(Array.from({ length: 60 }, visitOn))
      agent.destroy()
      const countedVisits = async () => {
        const { status, body } = await server.api('GET', '/analytics?dimensions=visitsByBrowser')
        return status === 200 ? body.data.totals.visits : status
      }
      await expect.poll(countedVisits).toBe(visits)
      expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    },
  )
})

function visit(url: string, visitor: number, agent: Agent): Promise<void> {
  const headers = { 'user-agent': `${browser} ${visitor % 900}`, 'x-forwarded-for': '203.0.113.7' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, answer => answer.resume().on('end', resolve))
    sent.on('error', reject).end()
  })
}
