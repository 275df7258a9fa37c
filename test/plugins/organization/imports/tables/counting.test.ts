import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createCounting } from '../../../../../plugins/organization/imports/tables/counting.ts'
import { all } from '../from-text.ts'

const now = new Date('2024-06-01T12:00:00Z')
const open = () => createCounting(new BetterSqlite3(':memory:'), now)
const item = { id: 'seven', row: 'line 7' }

it('adds up what comes in any order, by hour, and makes a part of each month', async () => {
  const counting = open()
  const at = (text: string) => new Date(text)
  counting.add({ link: '7', at: at('2024-05-03T10:59:00Z'), by: [['visitsByCountry', 'DE', 1]] })
  await counting.store()
  counting.add({
    link: '7',
    at: at('2024-04-30T23:00:00Z'),
    visits: 3,
    bots: 2,
    by: [['visitsByCountry', 'AT', 2]],
  })
  counting.add({ link: '8', at: at('2024-05-03T10:00:00Z') })
  counting.add({ link: '7', at: at('2024-05-03T10:00:00Z'), by: [['visitsByCountry', 'DE', 1]] })
  await counting.store()
  expect(await all(counting.countsOf('7', item))).toEqual([
    {
      ...{ kind: 'counts', row: 'line 7', link: 'seven', part: '2024-04' },
      counts: [
        { at: at('2024-04-30T23:00:00Z'), visits: 3, by: { bots: 2, visitsByCountry: { AT: 2 } } },
      ],
    },
    {
      ...{ kind: 'counts', row: 'line 7', link: 'seven', part: '2024-05' },
      counts: [{ at: at('2024-05-03T10:00:00Z'), visits: 2, by: { visitsByCountry: { DE: 2 } } }],
    },
  ])
  expect([counting.dated('7'), counting.dated('9')]).toEqual([
    { visits: 5, bots: 2, all: 5 },
    { visits: 0, bots: 0, all: 0 },
  ])
})

it('is full after thousands of visits, or after few whose values are long, until it is stored', async () => {
  const counting = open()
  const added = (link: string, value: string) => {
    for (let count = 1; ; count += 1) {
      counting.add({ link, at: now, by: [['visitsByCity', value, 1]] })
      if (counting.isFull()) return count
    }
  }
  expect(added('7', 'DE|Hamburg|Hamburg')).toBeGreaterThan(5_000)
  await counting.store()
  expect(added('7', 'x'.repeat(30_000))).toBeLessThan(60)
  await counting.store()
  expect(added('7'.repeat(30_000), 'DE')).toBeLessThan(60)
})

it('leaves out what is in the future, or before there were links', async () => {
  const counting = open()
  for (const at of ['2024-06-01T13:00:00Z', '1970-01-01T00:00:00Z', 'never']) {
    counting.add({ link: '7', at: new Date(at) })
  }
  counting.add({ link: '7', at: new Date('2024-06-01T12:59:00Z') })
  await counting.store()
  expect(counting.dated('7').visits).toBe(1)
})

it('gives no value more visits than there were', async () => {
  const counting = open()
  const by = [
    ['visitsByCountry', 'AT', 3],
    ['visitsByCountry', 'DE', 3],
  ] as const
  counting.add({ link: '7', at: now, visits: 4, by })
  await counting.store()
  const [{ counts } = { counts: [] }] = await all(counting.countsOf('7', item))
  expect(counts[0]?.by).toEqual({ visitsByCountry: { AT: 3, DE: 1 } })
})

it('makes parts that can be brought at once, and adds rare values up, however many there are', async () => {
  const counting = open()
  for (let hour = 0; hour < 12; hour++) {
    const by = Array.from(
      { length: 1_500 },
      (_, index) => ['visitsByReferer', `${index}.example`, 1] as const,
    )
    counting.add({ link: '7', at: new Date(Date.UTC(2024, 4, 3, hour)), visits: 1_500, by })
  }
  await counting.store()
  const parts = await all(counting.countsOf('7', item))
  expect(parts.map(({ part }) => part)).toEqual(['2024-05', '2024-05/2', '2024-05/3'])
  const hours = parts.flatMap(({ counts }) => counts)
  expect(hours).toHaveLength(12)
  const values = hours.map(({ by }) => by?.visitsByReferer as Record<string, number>)
  expect(values.map(it => Object.keys(it).length)).toEqual(Array(12).fill(1_001))
  expect(values.map(it => it['(other)'])).toEqual(Array(12).fill(500))
})

it('makes a part of each day of a month that an import may have met before it was over', async () => {
  const counting = createCounting(new BetterSqlite3(':memory:'), new Date('2027-01-01T12:00:00Z'))
  for (const at of [
    '2026-10-31T23:00:00Z',
    '2026-10-01T00:00:00Z',
    '2026-11-01T00:00:00Z',
    '2026-11-02T00:00:00Z',
  ]) {
    counting.add({ link: '7', at: new Date(at) })
  }
  await counting.store()
  const parts = await all(counting.countsOf('7', item))
  expect(parts.map(({ part, counts }) => [part, counts.length])).toEqual([
    ['2026-10', 2],
    ['2026-11-01', 1],
    ['2026-11-02', 1],
  ])
})
