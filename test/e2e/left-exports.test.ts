import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { makeLinks } from './everything-at-once.ts'
import { serve, token } from './server.ts'

itAtNight(
  'an archive of links is sent from its first links on, and its work ends when the client leaves',
  async () => {
    const server = await serve()
    await makeLinks(server, 1_000)
    const folder = join(server.dataDir, 'plugin-files', 'organization.exports')
    const there = () => readdirSync(folder, { recursive: true }).map(String)
    const leaving = new AbortController()
    const { body } = await fetch(`${server.url}/api/v1/export/static`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    await body?.getReader().read()
    const begun = there()
    leaving.abort()
    expect(begun.some(name => name.endsWith('.part-0'))).toBe(true)
    expect(begun.filter(name => name.endsWith('README.md'))).toEqual([])
    await expect.poll(there).toEqual([])
    // Whoever stays has all of it.
    const whole = await fetch(`${server.url}/api/v1/export/static`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    expect(there()).toEqual([])
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  },
)
