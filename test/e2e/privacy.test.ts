import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { temporaryFolder } from './program.ts'
import { type Answer, admin, createLink, type Server, serve } from './server.ts'

/** The number of different addresses of the kind below. */
const visitors = 2_000

/**
 * The bytes of these addresses are rare: F5 to FF and C0 to C1 never occur in UTF-8, and none of our numbers has them
 * in this order. So three of them in a row, in either order, are hardly a coincidence.
 */
function visitorNumber(number: number) {
  const [high, low] = [Math.trunc(number / 250) % 8, number % 250]
  const isIpv4 = number % 2 === 0
  return {
    ip: isIpv4 ? `245.193.${246 + high}.${low}` : `fdc1:f5f6:${low}:${high}::1`,
    userAgent: `Mozilla/5.0 (Linux; Android 14; QX-77${number}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.${number} Mobile Safari/537.36`,
  }
}

/** Every trace that an address or a user agent could leave, as text or as bytes. */
const traces: Readonly<Record<string, RegExp>> = {
  'IPv4 as text': /245\.193\./,
  'IPv4 as one number': /41231[23]\d{4}/,
  'IPv4 as hexadecimal': /f5c1f[6-9a-d]/i,
  'IPv4, packed': /\xf5\xc1[\xf6-\xfd]|[\xf6-\xfd]\xc1\xf5/g,
  'IPv6 as text': /fdc1:f5f6/i,
  'IPv6 as hexadecimal': /fdc1f5f6/i,
  'IPv6, packed': /\xfd\xc1\xf5\xf6/,
  'user agent': /AppleWebKit|QX-77/,
  'version of a browser': /131\.0\.6778/,
}

describe('addresses and user agents', () => {
  itAtNight(
    'of visitors and clients reach no file and no log, neither in time nor after a crash',
    async () => {
      const env = { LINNET_TRUSTED_PROXIES: '1' }
      const first = await serve({ env })
      const paths = await Promise.all([
        createLink(first).then(({ shortCode }) => `/${shortCode}`),
        createLink(first, { password: 'sesame' }).then(({ shortCode }) => `/${shortCode}`),
      ])
      await visitEverywhere(first, paths, 0)
      await expect.poll(() => countVisits(first)).toBe(visitors)
      expect(tracesIn(first.dataDir, first.log)).toEqual([])

      await visitEverywhere(first, paths, visitors)
      await first.kill('SIGKILL')
      expect(tracesIn(first.dataDir, first.log)).toEqual([])

      const second = await serve({ env, dataDir: first.dataDir })
      await expect.poll(() => countVisits(second)).toBeGreaterThan(visitors)
      await second.kill('SIGTERM')
      expect(tracesIn(second.dataDir, second.log)).toEqual([])
    },
  )

  it('would be found in any form', () => {
    const packed = [...'245.193.250.9'.split('.'), 0, 0, 0xfd, 0xc1, 0xf5, 0xf6].map(Number)
    const forms = [
      visitorNumber(1_004).ip,
      String(Buffer.from(packed).readUInt32BE()),
      Buffer.from(packed).toString('hex'),
      Buffer.concat(Array.from({ length: coincidences + 1 }, () => Buffer.from(packed))),
      visitorNumber(1_005).ip,
      visitorNumber(1_005).userAgent,
    ]
    const folder = temporaryFolder()
    for (const [number, form] of forms.entries()) writeFileSync(join(folder, `${number}`), form)
    expect(tracesIn(folder, [])).toEqual(Object.keys(traces))
    expect(tracesIn(temporaryFolder(), forms)).toContain('IPv4 as text')
  })
})

/** One visit by each visitor; two of them also request every other path. */
async function visitEverywhere(
  { get, url }: Server,
  [path = '', guardedPath = '']: readonly string[],
  from: number,
): Promise<void> {
  for (let number = from; number < from + visitors; number += 50) {
    const some = Array.from({ length: 50 }, (_, index) => headersOf(number + index))
    await Promise.all(some.map(headers => get(path, headers)))
  }
  for (const headers of [headersOf(from), headersOf(from + 1)]) {
    await get('/nothing-here', headers)
    await get('/api/v1/profile', { ...headers, authorization: 'Bearer guess' })
    await post(`${url}${guardedPath}`, { password: 'guess' }, headers)
    await post(`${url}/api/v1/session`, { email: admin.email, password: 'guess' }, headers)
    await post(`${url}/api/v1/session`, { nonsense: true }, headers)
  }
}

function headersOf(number: number): Record<string, string> {
  const { ip, userAgent } = visitorNumber(number)
  return { 'x-forwarded-for': ip, 'user-agent': userAgent }
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.text()
}

async function countVisits(server: Server): Promise<number> {
  const { body }: Answer = await server.api('GET', '/analytics?interval=all')
  expect(body.data.visitsByBrowser[0].label).toMatch(/Chrome/)
  return body.data.totals.visits
}

function tracesIn(folder: string, log: readonly unknown[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
  const texts = [...files, ...log.map(line => JSON.stringify(line))]
  return Object.keys(traces).filter(name => {
    const found = texts.flatMap(text => text.match(traces[name] ?? /^$/) ?? [])
    return found.length > (name === 'IPv4, packed' ? coincidences : 0)
  })
}

/**
 * The sketches of unique visitors are some hundred thousand random-looking bytes, so three bytes match now and then.
 * The addresses of two thousand visitors, each twice, would match thousands of times.
 */
const coincidences = 10
