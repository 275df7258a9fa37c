import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { isNight } from '../at-night.ts'
import { linnet, temporaryFolder } from '../e2e/program.ts'
import { callsTo, type Server, serve, serverEnv } from '../e2e/server.ts'
import { freePorts, keepRunning, run, withPrograms } from './programs.ts'

const host = 'go.example.org'
const schemes = 'mailto,weird'

/** Everything that ASCII allows in a code, in words that are the same but for upper and lower case, and other scripts. */
const oddCodes = [
  ...['a', 'A', 'ab', 'aB', 'Ab', 'AB', 'spring', 'Spring', 'spring/sale', 'spring/Sale'],
  ...['a$b', '$host', 'a;b', "a'b", 'a(b)', 'a*b', 'a:b', 'a@b', 'a&b', 'a=b', 'a+b'],
  ...['!x', '~x', '=x', '^x', '~*x', '*x', 'x~y', '@x', ':x', 'x!', 'a.b', 'a..b', '-', '_', '~'],
  ...[
    'größe',
    'GRÖSSE',
    'ссылка',
    '链接',
    '🔑',
    '👩‍🚀',
    'café',
    'e\u0301',
    'default',
    'hostnames',
    'include',
  ],
].filter(code => !/[{}^]/.test(code))

/** What breaks out of a configuration, where it is not escaped. */
const oddTargets = [
  'https://example.com/"; return 200 "broken',
  'https://example.com/?a=";}\nserver{listen 1;}',
  'https://example.com/?a=$host&b=$uri&c=$',
  'https://example.com/?a={http.request.host}&b={env.HOME}&c={',
  'https://example.com/?a=\\{x\\}&b=\\',
  'https://example.com/?a=\\"&b=\\\\"',
  'https://example.com/?a=%[path]&b=%%&c=%2F&d=%ci',
  "https://example.com/?a=`x`&b='y'",
  'https://example.com/a;b=c#frag"ment$',
  'https://example.com/größe?q=ü#ö',
  'https://example.com/ends\\',
  'https://example.com/?ends=\\',
  'https://user:pa$$@example.com:8443/',
  'mailto:a@b.example?subject="quoted" $host; {x}',
  'mailto:a@b.example?subject=\\"; } return 200 "x',
  'weird:# not a comment',
  'weird:a b\\',
]

const letters = [..."abcXYZ019-_.~$;'()*+:@&=!/éß字🔑"]

/** Codes and targets of many links, the same each time. */
function* oddLinks(count: number) {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  const seen = new Set<string>()
  for (let at = 0; at < count; at += 1) {
    const random = Array.from({ length: 3 + next(12) }, () => letters[next(letters.length)]).join(
      '',
    )
    const code = oddCodes[at] ?? `${random}${at}`.replace(/^\/+/, '').replace(/\/{2,}/g, '/')
    if (seen.has(code)) continue
    seen.add(code)
    const target = oddTargets[next(oddTargets.length)] ?? ''
    const glue = target.includes('?') ? '&' : '?'
    yield { code, target: target.includes('#') ? target : `${target}${glue}n=${at}` }
  }
}

/** A short URL, and where it leads in Linnet. */
interface Led {
  readonly path: string
  readonly location: string
}

interface Odd {
  readonly server: Server
  readonly urls: readonly Led[]
}

async function withOddLinks(): Promise<Odd> {
  const server = await serve({
    env: { LINNET_BASE_URL: `http://${host}`, LINNET_TARGET_SCHEMES: schemes },
  })
  const { port } = await server.logged(/is ready/)
  const { api } = callsTo(`http://127.0.0.1:${port}`)
  const rules = await api('POST', '/code-rules', { grammar: 'wide' })
  expect(rules.status).toBe(200)
  const paths: string[] = []
  const all = [...oddLinks(isNight ? 4_000 : 250)]
  for (let at = 0; at < all.length; at += 100) {
    const links = all
      .slice(at, at + 100)
      .map(({ code, target }) => ({ short_code: code, original_url: target }))
    const { body } = await api('POST', '/links/bulk', { links })
    for (const { link } of body.data.filter((it: { link?: object }) => it.link)) {
      paths.push(new URL(link.shortUrl).pathname)
    }
  }
  const urls = await Promise.all(
    paths.map(async path => ({ path, location: (await ask(Number(port), path)).location ?? '' })),
  )
  expect(urls.filter(it => it.location === '')).toEqual([])
  return { server, urls }
}

/** As a browser sends it, without normalising anything. */
function ask(port: number, path: string, of = host) {
  return new Promise<{ status: number | undefined; location: string | undefined }>(
    (resolve, reject) => {
      http
        .get({ port, host: '127.0.0.1', path, headers: { host: of }, agent }, res => {
          res.resume()
          res.on('end', () => resolve({ status: res.statusCode, location: res.headers.location }))
        })
        .on('error', reject)
    },
  )
}
const agent = new http.Agent({ keepAlive: true, maxSockets: 20 })

async function bundle(
  { server }: Odd,
  format: string,
): Promise<{ folder: string; leftOut: string }> {
  const folder = join(temporaryFolder(), 'out')
  const env = {
    ...serverEnv(server.dataDir),
    LINNET_BASE_URL: `http://${host}`,
    LINNET_TARGET_SCHEMES: schemes,
  }
  const exported = await linnet(['run', 'export', '--static', format, folder], { env })
  expect(exported).toMatchObject({ code: 0 })
  return { folder, leftOut: readFileSync(join(folder, 'left-out.txt'), 'utf8') }
}

/** Each short URL leads where Linnet leads; and others nowhere. */
async function leadsAsBefore({ urls }: Odd, port: number): Promise<void> {
  await expect
    .poll(
      () =>
        ask(port, '/none').then(
          it => it.status,
          () => undefined,
        ),
      { timeout: 20_000 },
    )
    .toBe(404)
  const answers = await Promise.all(
    urls.map(async ({ path, location }) => ({ path, location, got: await ask(port, path) })),
  )
  const wrong = answers.filter(({ location, got }) => got.location !== location)
  expect(wrong).toEqual([])
  expect(answers.length).toBeGreaterThan(isNight ? 2_000 : 100)
  const others = ['/', '/none', '/SPRING', '/spring%2Fsale', '/spring//sale', '/a%24b%00']
  for (const path of others) {
    const { status, location } = await ask(port, path)
    expect([path, location]).toEqual([path, undefined])
    expect(status).toBeGreaterThanOrEqual(400)
  }
  // Such as one whose links are all left out.
  for (const { path } of urls.slice(0, 20)) {
    const answer = await ask(port, path, 'other.example.org')
    expect([path, answer]).toEqual([path, { status: 404, location: undefined }])
  }
}

describe('a bundle of files leads as Linnet did', () => {
  withPrograms('nginx')('with nginx', async () => {
    const odd = await withOddLinks()
    const { folder, leftOut } = await bundle(odd, 'nginx')
    expect(leftOut).toBe('')
    const [port = 0] = await freePorts(1)
    const config = readFileSync(join(folder, 'linnet.conf'), 'utf8')
    writeFileSync(join(folder, 'linnet.conf'), config.replaceAll('listen 80;', `listen ${port};`))
    const logs = `pid ${folder}/pid; error_log ${folder}/error.log; daemon off;`
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${logs} events {} http { access_log off; include ${folder}/linnet.conf; }`,
    )
    run('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')])
    keepRunning('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')])
    await leadsAsBefore(odd, port)
  })

  withPrograms('caddy')('with Caddy', async () => {
    const odd = await withOddLinks()
    const { folder, leftOut } = await bundle(odd, 'caddy')
    expect(leftOut).toBe('')
    const [port = 0] = await freePorts(1)
    const config = JSON.parse(readFileSync(join(folder, 'caddy.json'), 'utf8'))
    config.admin = { disabled: true }
    config.apps.http.servers.linnet.listen = [`:${port}`]
    config.apps.http.servers.linnet.automatic_https = { disable: true }
    writeFileSync(join(folder, 'caddy.json'), JSON.stringify(config))
    const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    keepRunning('caddy', ['run', '--config', join(folder, 'caddy.json')], env)
    await leadsAsBefore(odd, port)
  })

  withPrograms('haproxy')('with HAProxy', async () => {
    const odd = await withOddLinks()
    const { folder, leftOut } = await bundle(odd, 'haproxy')
    expect(leftOut).toBe('')
    const [port = 0] = await freePorts(1)
    const config = readFileSync(join(folder, 'haproxy.cfg'), 'utf8')
      .replaceAll('/etc/haproxy/', `${folder}/`)
      .replace('bind :80', `bind :${port}`)
    const timeouts = 'defaults\n timeout client 9s\n timeout connect 9s\n timeout server 9s\n'
    writeFileSync(join(folder, 'haproxy.cfg'), `${timeouts}${config}`)
    expect(readdirSync(folder).filter(name => name.endsWith('.map'))).toHaveLength(1)
    run('haproxy', ['-c', '-f', join(folder, 'haproxy.cfg')])
    keepRunning('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
    await leadsAsBefore(odd, port)
  })
})
