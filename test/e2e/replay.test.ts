import { Agent, type RequestOptions, request } from 'node:http'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { accessLog, type LogLine } from './replay/access-log.ts'
import {
  type Counted,
  type Counts,
  countLog,
  countVisitors,
  openPlaces,
} from './replay/count-log.ts'
import { createLink, type Server, serve } from './server.ts'

const lines = 10_000

itAtNight('a server counts an access log as its lines say, in every dimension', async () => {
  const server = await serve({ env: { LINNET_TRUSTED_PROXIES: '1' } })
  const links = [
    await createLink(server),
    await createLink(server, { utm: { source: 'own', campaign: 'autumn' } }),
    await createLink(server, { dynamicRouting: phonesElsewhere }),
  ]
  const counted: readonly Counted[] = links.map(({ shortCode }, number) => ({
    shortCode,
    utm: number === 1 ? { utm_source: 'own', utm_campaign: 'autumn' } : {},
    routesPhones: number === 2,
  }))
  const log = accessLog(
    lines,
    links.map(({ shortCode }) => shortCode),
    20_261_120,
  )
  await replay(server, log)

  const places = await openPlaces()
  for (const [number, link] of counted.entries()) {
    const expected = countLog(log, link, places)
    const shown = async () => {
      const { uniqueVisitors: _, ...exact } = await shownBy(server, links[number]?.id)
      return exact
    }
    await expect.poll(shown).toEqual(expected)
    const { uniqueVisitors } = await shownBy(server, links[number]?.id)
    // An estimate with a random salt: once in a million runs it is more than five standard errors off.
    const visitors = countVisitors(log, link)
    expect(Math.abs((uniqueVisitors?.[''] ?? 0) / visitors - 1)).toBeLessThan(5 * 0.01625)
    // An empty log would agree as well.
    for (const dimension of ['visitsByCity', 'visitsByCountry', 'visitsByBrowser']) {
      expect(Object.keys(expected[dimension] ?? {}).length).toBeGreaterThan(20)
    }
  }
})

const phonesElsewhere = {
  rules: [
    {
      name: 'Phones',
      originalUrl: 'https://example.com/phone',
      conditions: [{ type: 'device', operator: 'is', value: 'mobile' }],
    },
  ],
}

/** Sends each line as a request through a proxy, several at a time. */
async function replay({ url }: Server, log: readonly LogLine[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const { hostname, port } = new URL(url)
  const waiting = log.values()

  async function send(): Promise<void> {
    for (const { method, shortCode, query, ip, userAgent, referer, language, header } of waiting) {
      const [name, value] = header.split(': ')
      const headers = {
        'x-forwarded-for': `198.51.100.1, ${ip}`,
        'user-agent': userAgent,
        ...(referer && { referer }),
        ...(language && { 'accept-language': language }),
        ...(name && { [name]: value }),
      }
      const path = `/${shortCode}${query && '?'}${query}`
      expect(await statusOf({ agent, hostname, port, method, path, headers })).toBe(302)
    }
  }

  await Promise.all(Array.from({ length: 32 }, send))
  agent.destroy()
}

function statusOf(options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(options, response => {
      response.once('end', () => resolve(response.statusCode)).resume()
    })
      .once('error', reject)
      .end()
  })
}

interface Row {
  readonly value: string
  readonly visits: number
}

/** The numbers that the API shows for a link, in the form of the other count. */
async function shownBy(server: Server, id: string | undefined): Promise<Counts> {
  const { body } = await server.api('GET', `/links/${id}/analytics?interval=all&limit=1000`)
  const { visitsOverTime: _, uniqueVisitors: __, totals, ...dimensions } = body.data
  const counts: Counts = {}
  for (const [name, visits] of Object.entries<number>(totals)) {
    counts[name] = visits === 0 ? {} : { '': visits }
  }
  for (const [name, rows] of Object.entries<readonly Row[]>(dimensions)) {
    if (!Array.isArray(rows)) continue
    const said = rows.filter(({ value }) => value !== '(none)')
    counts[name] = Object.fromEntries(said.map(({ value, visits }) => [value, visits]))
    const all = rows.reduce((sum, { visits }) => sum + visits, 0)
    expect([0, totals.visits], name).toContain(all)
  }
  return counts
}
