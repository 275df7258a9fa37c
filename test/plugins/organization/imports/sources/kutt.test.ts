import { describe, expect, it } from 'vitest'
import { kutt } from '../../../../../plugins/organization/imports/sources/kutt.ts'
import { conforms, readAll } from '../conformance.ts'

const fileOf = (name: string) => new URL(`./kutt/${name}`, import.meta.url).pathname
const files = ['kutt.sqlite', 'kutt-mysql.sql', 'kutt-postgres.sql', 'kutt-postgres-inserts.sql']

describe.each(files)('with %s', name => {
  conforms(kutt, { file: fileOf(name) })

  it('yields links with all that Kutt knows of them', async () => {
    const items = await readAll(kutt, { file: fileOf(name) })
    const link = { host: null, owner: 'ada@example.org', visits: 0 }
    const ofGrace = { ...link, owner: 'grace@example.org' }
    const date = expect.any(Date)
    // PostgreSQL writes the rows that were changed last at the end.
    const inOrder = items.toSorted((a, b) => a.row.localeCompare(b.row))
    const found = inOrder.flatMap(item => {
      if (item.kind !== 'link') return []
      const { kind, row, id, ...rest } = item
      expect(id).toMatch(/^[\da-f]{8}-/)
      return [rest]
    })
    expect(found.map(({ createdAt, updatedAt, ...rest }) => rest)).toEqual([
      {
        ...{ ...link, code: 'Spring', visits: 5 },
        fields: {
          originalUrl: 'https://example.com/spring?a=1&b=2',
          notes: "It's spring – “sale”, 50 % \\ off 🌷",
        },
      },
      {
        ...{ ...link, code: 'secret', fields: { originalUrl: 'https://example.com/secret' } },
        password: { hash: expect.stringMatching(/^\$2a\$12\$.{53}$/) },
      },
      {
        ...{ ...ofGrace, code: 'soon-gone' },
        fields: {
          originalUrl: 'https://example.com/',
          expiresAt: expect.stringMatching(/^2026-11-29T05:0[78]:\d\d\.\d{3}Z$/),
        },
      },
      {
        ...{ ...ofGrace, host: 'go.kutt.test', code: 'spring' },
        fields: { originalUrl: 'https://example.org/café' },
      },
      { ...ofGrace, code: 'mail', fields: { originalUrl: 'mailto:ada@example.org' } },
      {
        ...{ ...ofGrace, code: 'bad', fields: { originalUrl: 'https://example.com/bad' } },
        isArchived: true,
        changes: ['It was banned there, and comes archived.'],
      },
    ])
    for (const { createdAt, updatedAt } of found)
      expect([createdAt, updatedAt]).toEqual([date, date])
  })

  it('yields visits as they would be counted here, domains and keys', async () => {
    const items = await readAll(kutt, { file: fileOf(name) })
    expect(items.filter(({ kind }) => kind !== 'link')).toEqual([
      {
        ...{ kind: 'host', row: 'domains id 1', host: 'go.kutt.test' },
        rootUrl: 'https://example.com/home',
      },
      {
        ...{ kind: 'counts', row: 'links id 1', link: expect.any(String), part: '2026-11' },
        counts: [
          {
            at: new Date('2026-11-27T05:00:00Z'),
            visits: 5,
            by: {
              visitsByBrowser: { Chrome: 3, Firefox: 1, Safari: 1 },
              visitsByCountry: { GB: 2, US: 3 },
              visitsByOperatingSystem: { Linux: 1, Windows: 3, iOS: 1 },
              visitsByReferer: { 'news.example.com': 1, 't.co': 3 },
            },
          },
        ],
      },
      ...['ada@example.org', 'grace@example.org'].map((owner, index) => ({
        ...{ kind: 'key', row: `users id ${index + 1}`, name: `Kutt, ${owner}`, owner },
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
      })),
    ])
  })
})
