import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import geoipUpdates from '../../../plugins/analytics/geoip-updates.ts'
import visitsByCity from '../../../plugins/analytics/visits-by-city.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { firstOf } from '../../at-night.ts'
import { boot, type Harness } from '../../harness.ts'
import { createGuardedFetch, parseOwnNetwork } from '../../inside.ts'
import { mmdb } from '../../mmdb.ts'

let linnet: Harness
afterEach(() => linnet?.stop())

const reykjavik = { country: { iso_code: 'IS' }, city: { names: { en: 'Reykjavik' } } }

function fileOf(type: string, day = '2026-11-01'): Buffer {
  return mmdb({ '8.8.8.0/24': reykjavik }, { type, buildEpoch: Date.parse(day) / 1_000 })
}

/** A server of files, and a Linnet that may fetch from it. */
async function start(files: Readonly<Record<string, Buffer | number | 'cut off'>>, key?: string) {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(`${req.url} ${req.headers.authorization ?? ''}`.trim())
    const file = files[req.url ?? '']
    if (typeof file === 'object') res.writeHead(200).end(file)
    else if (file !== 'cut off') res.writeHead(file ?? 404).end()
    else res.writeHead(200, { 'content-length': 9 }).write('half', () => res.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const placesFolder = mkdtempSync(join(tmpdir(), 'linnet-places-'))
  onTestFinished(() => rmSync(placesFolder, { recursive: true }))
  const ownNetwork = parseOwnNetwork('127.0.0.1')
  if (typeof ownNetwork === 'string') throw new Error(ownNetwork)
  const { signal } = new AbortController()
  linnet = await boot([visitsTracking, visitsByCity, geoipUpdates], {
    at: '2026-11-03T04:00:00Z',
    placesFolder,
    fetch: createGuardedFetch({ isAllowed: () => false, ports: [], ownNetwork, signal }),
    env: {
      LINNET_GEOIP_URL: `http://127.0.0.1:${port}/{kind}-{month}.mmdb`,
      ...(key !== undefined && { LINNET_GEOIP_KEY: key }),
    },
  })
  return { asked, placesFolder }
}

async function cityOfVisit(): Promise<unknown> {
  const link = await linnet.create()
  await linnet.visit(link, {
    ip: '8.8.8.8',
    headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
  })
  return (await linnet.counts(link)).visitsByCity
}

it('puts newer files in place, those of last month where there are none yet, and only once', async () => {
  const { asked, placesFolder } = await start({
    '/country-2026-11.mmdb': gzipSync(fileOf('DBIP-Country-Lite')),
    '/city-2026-10.mmdb': fileOf('DBIP-City-Lite', '2026-10-01'),
  })
  await linnet.run('analytics.geoipUpdates.fetch')
  expect(readdirSync(placesFolder).sort()).toEqual(['cities.mmdb', 'countries.mmdb'])
  expect(await cityOfVisit()).toEqual({ 'IS||Reykjavik': 1 })
  expect(linnet.log.join()).toMatch(
    /Countries of visitors now come from data of 2026-11-01, downloaded from 127/,
  )

  await linnet.run('analytics.geoipUpdates.fetch')
  expect(asked).toEqual([
    '/country-2026-11.mmdb',
    '/city-2026-11.mmdb',
    '/city-2026-10.mmdb',
    // Those of this month are not there yet.
    '/city-2026-11.mmdb',
    '/city-2026-10.mmdb',
  ])
})

it('takes a file out of a tar, and shows the key to whoever the operator named', async () => {
  const tar = (type: string) => gzipSync(inTar('GeoLite2_20261103/GeoLite2.mmdb', fileOf(type)))
  const { asked } = await start(
    {
      '/country-2026-11.mmdb': tar('GeoLite2-Country'),
      '/city-2026-11.mmdb': tar('GeoLite2-City'),
    },
    '123456:secret',
  )
  await linnet.run('analytics.geoipUpdates.fetch')
  expect(await cityOfVisit()).toEqual({ 'IS||Reykjavik': 1 })
  const authorization = `Basic ${Buffer.from('123456:secret').toString('base64')}`
  expect(asked[0]).toBe(`/country-2026-11.mmdb ${authorization}`)
})

it('says that a key may be wrong, where there is one', async () => {
  await start({ '/country-2026-11.mmdb': 403 }, '123456:secret')
  await expect(linnet.run('analytics.geoipUpdates.fetch')).rejects.toThrow(
    'answers 403, so check LINNET_GEOIP_KEY',
  )
})

const whole = fileOf('DBIP-City-Lite')

/** The same file with other bytes at a place. */
function damaged(at: number, ...bytes: readonly number[]): Buffer {
  const copy = Buffer.from(whole)
  copy.set(bytes, at)
  return copy
}

it.each(
  firstOf<[string, Buffer | number | 'cut off', string]>(5, [
    [
      'half a tar',
      inTar('x.mmdb', whole).subarray(0, 1_024 + 512 + 100),
      'the archive ends before',
    ],
    [
      'a file with a damaged tree',
      damaged(0, ...Array<number>(60).fill(0)),
      'its search tree leads in a circle',
    ],
    ['countries', fileOf('DBIP-Country-Lite'), 'does not contain this data'],
    [
      'what is much older',
      fileOf('DBIP-City-Lite', '2026-06-01'),
      'it is of 2026-06-01, and the data in use is of 2026-09-01',
    ],
    ['a part', 'cut off' as const, 'Cities of visitors could not be updated: 127.0.0.1'],
    ['garbage', Buffer.from('<html>not found</html>'), 'it is not an MMDB file'],
    ['half a packed file', gzipSync(whole).subarray(0, 60), 'unexpected end of file'],
    [
      'the end of a file',
      whole.subarray(whole.indexOf('\xab\xcd\xefMaxMind.com', 'latin1')),
      'it is shorter than it says',
    ],
    [
      'a file with a damaged record',
      damaged(whole.indexOf('country') - 1, 0, 0, 0),
      'a record in it cannot be read',
    ],
    [
      'countries that claim to be cities',
      mmdb({ '8.8.8.0/24': { country_code: 'IS' } }, { type: 'GeoLite2-City' }),
      'does not contain this data',
    ],
    ['nothing', Buffer.alloc(0), 'it is not an MMDB file'],
    ['a refusal', 401, 'answers 401, then'],
  ]),
)('leaves all as it was when %s is sent for cities', async (_, sent, why) => {
  const { placesFolder } = await start({
    '/country-2026-11.mmdb': fileOf('DBIP-Country-Lite'),
    '/city-2026-11.mmdb': sent,
  })
  const before = fileOf('GeoLite2-City', '2026-09-01')
  writeFileSync(join(placesFolder, 'cities.mmdb'), before)
  const job = linnet.run('analytics.geoipUpdates.fetch')
  await expect(job).rejects.toThrow(why)
  await expect(job).rejects.toThrow('127.0.0.1')
  expect(readdirSync(placesFolder).sort()).toEqual(['cities.mmdb', 'countries.mmdb'])
  expect(await cityOfVisit()).toEqual({ 'IS||Reykjavik': 1 })
})

it.each([
  ['sends garbage', Buffer.from('<html>'), 'what 127'],
  ['cuts the connection', 'cut off' as const, '127.0.0.1'],
  ['has no countries', 404, 'answers 404'],
])(
  'fetches the cities, and the file of last month, also when the server %s',
  async (_, sent, why) => {
    const { asked, placesFolder } = await start({
      '/country-2026-11.mmdb': sent,
      '/country-2026-10.mmdb': sent,
      '/city-2026-11.mmdb': sent,
      '/city-2026-10.mmdb': fileOf('DBIP-City-Lite', '2026-10-01'),
    })
    const job = linnet.run('analytics.geoipUpdates.fetch')
    await expect(job).rejects.toThrow('Countries of visitors could not be updated: ')
    await expect(job).rejects.toThrow(why)
    await expect(job).rejects.not.toThrow('Cities')
    expect(asked).toHaveLength(4)
    expect(readdirSync(placesFolder)).toEqual(['cities.mmdb'])
  },
)

/** https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html, behind a file that nobody wants. */
function inTar(name: string, content: Buffer): Buffer {
  const entry = (name: string, content: Buffer) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write('ustar', 257)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  }
  return Buffer.concat([
    ...entry('COPYRIGHT.txt', Buffer.from('by somebody')),
    ...entry(name, content),
    Buffer.alloc(1_024),
  ])
}
