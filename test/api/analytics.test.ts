import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../harness.ts'
import type { PluginOrFeature } from '../with-ours.ts'
import { aPerson } from './people.ts'

/** Counts what `?from=` says. */
const visitsFrom = definePlugin({
  feature: 'test.visitsFrom',
  about: 'Count visits by what their query says.',
  dimensions: {
    visitsFrom: {
      label: 'From',
      of: ({ query }) => query.get('from') ?? undefined,
      labelOf: value => (value === 'de' ? 'Germany' : value),
      none: 'Nobody said',
    },
    robotsBy: {
      label: 'Robot',
      bots: true,
      of: ({ userAgent }) => /(\w+bot)/i.exec(userAgent)?.[1],
    },
  },
})

const plugins: readonly PluginOrFeature[] = [
  'organization.tags',
  'organization.campaigns',
  'analytics.visitsTracking',
  'analytics.visitsOverTime',
  visitsFrom,
]

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot(plugins)
  link = await linnet.create()
})
afterEach(() => linnet.stop())

const ask = (query = '', path = `/links/${link.id}`) =>
  linnet.api('GET', `${path}/analytics?${query}`)

const askFile = (query: string, path = `/links/${link.id}`) =>
  linnet.api('GET', `${path}/analytics.csv?${query}`)

async function answer(query = '', path?: string) {
  const { status, body } = await ask(query, path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

async function visitAt(time: string, from?: string, visited = link) {
  linnet.at(time)
  await linnet.visit(visited, from === undefined ? {} : { query: `?from=${from}` })
}

describe('the time that analytics are asked about', () => {
  it('ends with the hour in progress, so that the visits just made are in it', async () => {
    await visitAt('2026-11-20T12:00:00Z')
    expect(await answer('interval=24h')).toMatchObject({
      from: '2026-11-19T13:00:00.000Z',
      to: '2026-11-20T13:00:00.000Z',
      timezone: 'UTC',
      totals: { visits: 1 },
    })
    linnet.at('2026-11-20T12:00:00.001Z')
    expect(await answer('from=2026-11-20&to=2026-11-20T12:00:00.001Z')).toMatchObject({
      to: '2026-11-20T13:00:00.000Z',
      totals: { visits: 1 },
    })
  })

  it('is told in days of the time zone', async () => {
    await visitAt('2026-11-19T22:30:00Z')
    await visitAt('2026-11-19T23:30:00Z')
    linnet.at('2026-11-20T12:00:00Z')
    const query = 'from=2026-11-19&to=2026-11-21&timezone=Europe/Berlin&granularity=day'
    expect(await answer(query)).toMatchObject({
      from: '2026-11-18T23:00:00.000Z',
      to: '2026-11-20T23:00:00.000Z',
      timezone: 'Europe/Berlin',
      granularity: 'day',
      visitsOverTime: [
        { start: '2026-11-18T23:00:00.000Z', visits: 1 },
        { start: '2026-11-19T23:00:00.000Z', visits: 1 },
      ],
    })
  })

  it.each([
    ['timezone=Mars/Olympus', 'timezone'],
    ['timezone=%2B05:45', 'timezone'],
    ['timezone=', 'timezone'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-11-20T12:00:00', 'from'],
    ['from=2026-11-20&to=2026-11-19', 'from'],
    ['interval=7d&from=2026-11-01', 'interval'],
    ['interval=1y', 'interval'],
    ['interval=90d&granularity=hour', 'granularity'],
    ['granularity=minute', 'granularity'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['dimensions=visitsByMood', 'dimensions'],
    ['dimensions=,', 'dimensions'],
    ['compare=next', 'compare'],
    ['compare=previous&interval=all', 'compare'],
    ['format=csv', 'format'],
    ['country=DE', 'country'],
  ])('is 422 for ?%s', async (query, field) => {
    const { status, body } = await ask(query)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  it('is told all that is wrong with it at once', async () => {
    const { body } = await ask('timezone=Nowhere&dimensions=visitsByMood&limit=0&from=x')
    expect(body.errors.map((error: { field: string }) => error.field).sort()).toEqual([
      ...['dimensions', 'from', 'limit', 'timezone'],
    ])
  })
})

describe('the values of a dimension', () => {
  it('are labelled so that hidden characters show, also those that were stored with them', async () => {
    const said = 'gpj\u202eexe\u200b'
    await visitAt('2026-11-20T12:00:00Z', encodeURIComponent(said))
    const { visitsFrom } = await answer('dimensions=visitsFrom')
    expect(visitsFrom).toMatchObject([{ value: said, label: 'gpj\ufffdexe\ufffd', visits: 1 }])
  })

  it('have labels, and shares of all visits, with a row for those that have none', async () => {
    for (const from of ['de', 'de', 'at']) await visitAt('2026-11-20T12:00:00Z', from)
    for (let visit = 0; visit < 2; visit += 1) await visitAt('2026-11-20T12:00:00Z')
    const { visitsFrom: values, totals } = await answer('dimensions=visitsFrom&limit=2')
    expect(totals).toEqual({ visits: 5 })
    expect(values).toEqual([
      { value: '(none)', label: 'Nobody said', visits: 2, share: 0.4 },
      { value: 'de', label: 'Germany', visits: 2, share: 0.4 },
    ])
  })

  it('are one with the row of no value where somebody sends its name', async () => {
    for (const from of ['(none)', 'de', undefined]) await visitAt('2026-11-20T12:00:00Z', from)
    expect((await answer()).visitsFrom).toEqual([
      { value: '(none)', label: 'Nobody said', visits: 2, share: 2 / 3 },
      { value: 'de', label: 'Germany', visits: 1, share: 1 / 3 },
    ])
  })

  it('have no such row among robots, whom visits leave out', async () => {
    const robots = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    linnet.at('2026-11-20T12:00:00Z')
    for (let visit = 0; visit < 2; visit += 1) await linnet.visit(link)
    await linnet.visit(link, { headers: { 'User-Agent': robots } })
    expect((await answer()).robotsBy).toEqual([
      { value: 'Googlebot', label: 'Googlebot', visits: 1, share: 1 },
    ])
  })

  it('are left out where the plan has none, and 403 when they are named', async () => {
    await linnet.api('PATCH', '/admin/plans/pro', { analytics: { visitsOverTime: false } })
    await linnet.api('PATCH', `/admin/accounts/${linnet.account.id}`, { plan: 'pro' })
    expect(await answer()).not.toHaveProperty('visitsOverTime')
    expect(await ask('dimensions=visits,visitsOverTime')).toMatchObject({
      status: 403,
      body: { code: 'feature_not_in_plan' },
    })
  })
})

describe('the comparison with the span before', () => {
  it('says of each value what it was', async () => {
    for (const from of ['de', 'de', 'at', undefined]) await visitAt('2026-11-10T12:00:00Z', from)
    for (const from of ['de', 'ch', 'ch']) await visitAt('2026-11-18T12:00:00Z', from)
    linnet.at('2026-11-20T12:00:00Z')
    const { visitsFrom } = await answer('interval=7d&compare=previous')
    expect(visitsFrom).toEqual([
      { value: 'ch', label: 'ch', visits: 2, share: 2 / 3, previousVisits: 0 },
      { value: 'de', label: 'Germany', visits: 1, share: 1 / 3, previousVisits: 2 },
    ])
  })

  it('has totals, points and change of the span before', async () => {
    for (const day of ['10', '12', '17', '17', '18']) await visitAt(`2026-11-${day}T12:00:00Z`)
    linnet.at('2026-11-20T12:00:00Z')
    const { totals, previous } = await answer('interval=7d&compare=previous')
    expect(totals).toEqual({ visits: 3, bots: 0 })
    expect(previous).toEqual({
      from: '2026-11-07T00:00:00.000Z',
      to: '2026-11-13T13:00:00.000Z',
      totals: { visits: 2, bots: 0 },
      change: { visits: 0.5, bots: null },
      visitsOverTime: ['07', '08', '09', '10', '11', '12', '13'].map(day => ({
        start: `2026-11-${day}T00:00:00.000Z`,
        visits: Number(['10', '12'].includes(day)),
      })),
    })
  })

  it('is null unless asked for', async () => {
    expect((await answer()).previous).toBeNull()
  })
})

describe('analytics as CSV', () => {
  it('have an address of their own', async () => {
    for (const path of ['', `/links/${link.id}`]) {
      const file = await linnet.api('GET', `${path}/analytics.csv?interval=7d`)
      expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    }
  })

  const file = async (query: string, path?: string) => {
    const { status, headers, body } = await askFile(query, path)
    expect(status).toBe(200)
    return { headers, lines: String(body).replace('\ufeff', '').trimEnd().split('\r\n') }
  }

  it('are one table, with numbers as numbers and local time as spreadsheets read it', async () => {
    await visitAt('2026-11-20T12:00:00Z', 'de')
    const { headers, lines } = await file(
      'from=2026-11-20T12:00:00Z&timezone=Asia/Kathmandu&compare=previous',
    )
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="linnet_${link.id}_2026-11-20_2026-11-20.csv"`,
      'cache-control': 'no-store',
    })
    expect(lines).toEqual([
      'period,dimension,start,local_start,value,label,visits,share',
      'current,visits,,,,,1,',
      'current,bots,,,,,0,',
      'current,visitsOverTime,2026-11-20T12:15:00.000Z,2026-11-20 18:00,,,1,',
      'current,visitsFrom,,,de,Germany,1,1',
      'previous,visits,,,,,0,',
      'previous,bots,,,,,0,',
      'previous,visitsOverTime,2026-11-20T11:15:00.000Z,2026-11-20 17:00,,,0,',
      'previous,visitsFrom,,,de,Germany,0,',
    ])
  })

  it('say days without a time', async () => {
    const { lines } = await file('from=2026-11-19&to=2026-11-21&granularity=day')
    expect(lines).toContain('current,visitsOverTime,2026-11-19T00:00:00.000Z,2026-11-19,,,0,')
  })

  it('do not let a spreadsheet run what visitors wrote', async () => {
    await visitAt('2026-11-20T12:00:00Z', encodeURIComponent('=HYPERLINK("https://evil.example")'))
    const { lines } = await file('dimensions=visitsFrom')
    const cell = '"\'=HYPERLINK(""https://evil.example"")"'
    expect(lines).toContain(`current,visitsFrom,,,${cell},${cell},1,1`)
  })

  it('of what is not right are a problem as ever', async () => {
    const { status, headers } = await askFile('timezone=Nowhere')
    expect([status, headers['content-type']]).toEqual([422, 'application/problem+json'])
  })
})

describe.each([
  ['tags', (id: string) => ({ tag_ids: [id] })],
  ['campaigns', (id: string) => ({ campaign_id: id })],
])('the analytics of %s', (kind, fields) => {
  const make = async () => (await linnet.api('POST', `/${kind}`, { name: 'Spring' })).body.data.id

  it('add up the links that are in it now', async () => {
    const id = await make()
    const [one, two] = [await linnet.create(fields(id)), await linnet.create(fields(id))]
    for (const visited of [one, two, link]) await visitAt('2026-11-20T12:00:00Z', 'de', visited)
    expect(await answer('', `/${kind}/${id}`)).toMatchObject({
      totals: { visits: 2 },
      visitsFrom: [{ value: 'de', visits: 2, share: 1 }],
    })
    await linnet.api('DELETE', `/links/${one.id}`)
    expect((await answer('', `/${kind}/${id}`)).totals).toMatchObject({ visits: 1 })
  })

  it('are none where there are no links', async () => {
    expect(await answer('', `/${kind}/${await make()}`)).toMatchObject({
      totals: { visits: 0 },
      visitsFrom: [],
    })
  })

  it('are nobody else’s', async () => {
    const id = await make()
    const stranger = await (await aPerson(linnet)).session()
    const path = `/${kind}/${id}/analytics`
    expect((await linnet.api('GET', path, undefined, stranger)).status).toBe(404)
    expect((await ask('', `/${kind}/nothing`)).status).toBe(404)
  })

  it('go with their plugin', async () => {
    const id = await make()
    linnet = await linnet.restart(['analytics.visitsTracking'])
    expect((await ask('', `/${kind}/${id}`)).status).toBe(404)
  })
})

describe('the analytics of an account', () => {
  it('lose what a deleted link had', async () => {
    const other = await linnet.create()
    await visitAt('2026-11-20T12:00:00Z', 'de')
    await visitAt('2026-11-20T12:00:00Z', 'at', other)
    expect((await answer('', '')).totals).toMatchObject({ visits: 2 })
    await linnet.api('DELETE', `/links/${other.id}`)
    expect(await answer('', '')).toMatchObject({
      totals: { visits: 1 },
      visitsFrom: [{ value: 'de', visits: 1, share: 1 }],
    })
  })
})
