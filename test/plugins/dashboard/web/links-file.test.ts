import { expect, it } from 'vitest'
import type { Link } from '../../../../plugins/dashboard/web/api/links/links.ts'
import { linksFiles } from '../../../../plugins/dashboard/web/pages/links/bulk/links-file.ts'
import { namesIn } from '../../../../plugins/dashboard/web/pages/links/import/read-cell.ts'
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

it('a file of links says what it does not have, and parts tags so that they come back', () => {
  const { start, part } = linksFiles.csv
  const visits = { total: 0 }
  const rules = { rules: [{}] }
  const tags = (...names: string[]) => names.map(name => ({ name }))
  const links = [
    { visits, hasPassword: true, dynamicRouting: rules, confirm: true, tags: tags('t,1') },
    {
      visits,
      hasPassword: false,
      dynamicRouting: null,
      forwardQuery: true,
      tags: tags('a;b', 'c'),
    },
    { visits, tags: tags('a', 'b') },
  ] as unknown as Link[]
  const [names = [], ...rows] = readCsv(start + part(links, true))
  const of = (name: string) => rows.map(row => row[names.indexOf(name)])
  expect(of('has_password')).toEqual(['true', '', ''])
  expect(of('has_rules')).toEqual(['true', '', ''])
  expect(of('confirm')).toEqual(['true', '', ''])
  expect(of('forward_query')).toEqual(['', 'true', ''])
  expect(of('tags')).toEqual(['t,1|', 'a;b| c|', 'a, b'])
  expect(of('tags').map(namesIn)).toEqual([['t,1'], ['a;b', 'c'], ['a', 'b']])
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
