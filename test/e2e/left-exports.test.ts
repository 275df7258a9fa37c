import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { makeLinks } from './everything-at-once.ts'
import { linnet, temporaryFolder } from './program.ts'
import { browser, createLink, serve, token } from './server.ts'

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

itAtNight(
  'the command that exports has visits that a server had stored when it was killed',
  async () => {
    const dataDir = temporaryFolder()
    const short_code = 'visited'
    let visits = 0
    do {
      const server = await serve({ dataDir })
      if (visits === 0) await createLink(server, { short_code })
      await server.get(`/${short_code}`, { 'user-agent': browser })
      visits += 1
      await expect.poll(() => countIn(dataDir, `${waiting} + ${added}`)).toBe(visits)
      await server.kill('SIGKILL')
      // On a slow machine it was added up meanwhile.
    } while (countIn(dataDir, waiting) === 0)

    const file = join(temporaryFolder(), 'all.jsonl')
    const env = { LINNET_DATA_DIR: dataDir }
    const { code, stderr } = await linnet(['export', file], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.find(({ kind }) => kind === 'link').visits.total).toBe(visits)
    expect(lines.some(({ kind }) => kind === 'counts')).toBe(true)
    expect(countIn(dataDir, waiting)).toBe(0)
  },
)

const waiting = '(select count(*) from visit_batches)'
const added = '(select coalesce(sum(visits), 0) from link_totals)'

function countIn(dataDir: string, what: string): unknown {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'), { readonly: true })
  try {
    return database.prepare(`select ${what}`).pluck().get()
  } finally {
    database.close()
  }
}
