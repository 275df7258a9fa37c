import { setTimeout as wait } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { packCounts } from '../bench/pack-counts.mjs'
import { expectVisits } from './counted.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { type Answer, createLink, serve } from './server.ts'

const days = 30
/** As many as a link may have. */
const valuesADay = 1_000
const dimensions = ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent']

describe.skipIf(!canLimitMemory)('a server with 192 MiB', () => {
  itAtNight(
    'survives that a hundred ask for large numbers at the same moment, and that forty read a public page',
    async () => {
      const first = await serve()
      const { dataDir } = first
      const link = await createLink(first)
      await first.get(
        `/${link.shortCode}?utm_source=a&utm_medium=b&utm_campaign=c&utm_term=d&utm_content=e`,
      )
      await expectVisits(first, link.id, 1)
      const { body: page } = await first.api('POST', '/public-numbers', { of: link.id })
      expect(await first.kill('SIGTERM')).toMatchObject({ code: 0 })
      countManyValues(`${dataDir}/linnet.db`)

      const server = await serve({
        through: withMemory(192),
        dataDir,
        env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
      })
      const path = new URL(page.data.url).pathname
      const kinds = ['analytics', 'analytics.csv', 'analytics/links', `links/${link.id}/analytics`]
      const answers = await Promise.all([
        ...Array.from({ length: 100 }, (_, index) =>
          server.api('GET', `/${kinds[index % 4]}?interval=30d&limit=${1 + index}`),
        ),
        ...Array.from({ length: 40 }, () => server.get(path)),
      ])
      for (const { status, headers, text } of answers) {
        expect([200, 503], text).toContain(status)
        expect(headers.has('retry-after')).toBe(status === 503)
      }
      const { body } = await untilComputed(() =>
        server.api('GET', '/analytics?interval=30d&dimensions=utmSource'),
      )
      const [most] = body.data.utmSource
      // Nobody's memory holds each of thirty thousand values, so most of them are told as one.
      expect(most).toMatchObject({ value: '(other)', label: 'Other' })
      expect(most.visits).toBeGreaterThan((days * valuesADay) / 3)
      expect(most.share).toBe(most.visits / (days * valuesADay))
      const after = await untilComputed(() => server.get(path))
      expect(after.text).toContain('<dd>30,000</dd>')
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    },
  )
})

/** Nothing is computed while memory is short. */
async function untilComputed(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    await wait(100)
  }
}

/** Gives a link and its account the values of visits that would take minutes. */
function countManyValues(file: string): void {
  const db = new BetterSqlite3(file)
  const find = db.prepare('select id from visit_names where name = ?').pluck()
  const add = db
    .prepare('insert into visit_names (name, used_in) values (?, 0) returning id')
    .pluck()
  const idOf = (name: string) => (find.get(name) ?? add.get(name)) as number
  const today = Math.floor(Date.now() / 86_400_000) * 24
  db.exec('begin; delete from link_counts; delete from account_counts')
  for (let day = 0; day < days; day += 1) {
    const values = dimensions.map(name =>
      Array.from({ length: valuesADay }, (_, index) => [
        ...[idOf(name), idOf(`${name} ${day} ${index}`), 1],
      ]),
    )
    const all = [[idOf('visits'), idOf(''), valuesADay]]
    const counts = [all, ...values].sort(([a], [b]) => Number(a?.[0]) - Number(b?.[0])).flat(2)
    const bucket = today - 24 * day
    for (const table of ['link_counts', 'account_counts']) {
      const insert = db.prepare(`insert into ${table} (owner_id, bucket, packed) values (1, ?, ?)`)
      insert.run(bucket, packCounts(bucket, counts))
    }
  }
  db.exec('commit')
  db.close()
}
