import { expect, it } from 'vitest'
import type { Link } from '../../../../plugins/dashboard/web/api/links/links.ts'
import { linksFiles } from '../../../../plugins/dashboard/web/pages/links/bulk/links-file.ts'
import { readCsv } from '../../../../plugins/dashboard/web/shared/text/csv.ts'

it('a file of links has their visits, and those without a date, 0 where there are none', () => {
  const { start, part, end } = linksFiles.csv
  const link = (visits: object) => ({ shortUrl: 'https://go.example.org/a', visits }) as Link
  const links = [link({ total: 9, undated: 4, fromQrCodes: 1 }), link({ total: 2 })]
  const [names = [], ...rows] = readCsv(start + part(links, true) + end)
  const of = (name: string) => rows.map(row => row[names.indexOf(name)])
  expect(of('visits')).toEqual(['9', '2'])
  expect(of('visits_without_date')).toEqual(['4', '0'])
  expect(of('visits_from_qr_codes')).toEqual(['1', ''])
})

it('a file of links has their dates, and the limit of visits with what is left of it', () => {
  const { start, part } = linksFiles.csv
  const dates = { startsAt: '2026-11-20T13:00:00.000Z', expiresAt: null }
  const limit = { maxVisits: 5, visitsLeft: 0 }
  const links = [{ visits: { total: 7 }, ...dates, ...limit } as Link]
  const [names = [], row = []] = readCsv(start + part(links, true))
  const of = (name: string) => row[names.indexOf(name)]
  expect(['starts_at', 'expires_at', 'max_visits', 'visits_left'].map(of)).toEqual([
    ...[dates.startsAt, '', '5', '0'],
  ])
})
