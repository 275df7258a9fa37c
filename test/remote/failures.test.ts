import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { Linnet } from '../../client/linnet.ts'
import { Interrupted } from '../../remote/failures.ts'
import { description } from './small-description.ts'
import { elsewhere, emptyHome } from './terminal.ts'
import { hasOpenssl, untrustedServer } from './untrusted-server.ts'

interface Sent {
  readonly key: string | undefined
  readonly body: { readonly original_url: string; readonly reuse?: true }
}

type Answers = (
  sent: Sent,
) => readonly [status: number, body: object, headers?: Readonly<Record<string, string>>] | undefined

/** A server that describes itself, and answers whatever is created; not at all for undefined. */
async function linnetThat(answer: Answers) {
  const sent: Sent[] = []
  const url = await listening(async (request, response) => {
    if (request.url === '/api/v1/export') {
      response.writeHead(200, { 'Content-Type': 'application/jsonl', 'Content-Length': '1000' })
      return response.write('{}\n', () => request.socket.destroy())
    }
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'application/json')
      return response.end(JSON.stringify(description))
    }
    const key = request.headers['idempotency-key'] as string | undefined
    const one: Sent = { key, body: JSON.parse(await text(request)) }
    sent.push(one)
    const [status, body, headers = {}] = answer(one) ?? []
    if (status === undefined) return request.socket.destroy()
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    return response
      .writeHead(status, { 'Content-Type': type, ...headers })
      .end(JSON.stringify(body))
  })
  return { sent, env: { ...emptyHome(), LINNET_URL: url, LINNET_TOKEN: 'lnt_1' } }
}

const made = ({ body }: Sent) =>
  [201, { data: { id: 'lnk_1', shortUrl: body.original_url.replace('long', 'short') } }] as const

function problem(status: number, code: string, detail: string) {
  return { type: `urn:${code}`, title: code, status, code, detail, requestId: '1', errors: [] }
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer((req, res) => {
    res.setHeader('X-Request-Id', 'req_1')
    void listener(req, res)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://long.example/${index}\n`).join('')

it.each([
  ['login', 1, "missing required argument 'address'"],
  ['login ftp://go.example.org', 1, 'is not the address of a server. Enter it as in a browser'],
  ['links', 1, 'Log in first: linnet login https://go.example.org. Or set LINNET_URL'],
  ['servers use work', 1, 'There is no server work here.'],
  ['logout', 1, 'You are logged in nowhere.'],
  ['completion tcsh', 1, 'Name a shell: bash, zsh, fish.'],
])('answers "linnet %s" with a remedy and fails', async (words, code, remedy) => {
  const said = await elsewhere(words, { env: emptyHome() })
  expect(said).toMatchObject({ code, stdout: '' })
  expect(said.stderr).toContain(remedy)
})

it('says that the file with the servers is damaged, and closes one that others can read', async () => {
  const env = emptyHome()
  const folder = join(env.HOME, '.config/linnet')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'servers.json')
  writeFileSync(file, '{"servers": 1}')
  const damaged = await elsewhere('links', { env })
  expect(damaged).toMatchObject({ code: 1, stdout: '' })
  expect(damaged.stderr).toContain(`${file} cannot be read. Delete it, and log in again`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('wants both variables or none', async () => {
  const { HOME } = emptyHome()
  const url = await elsewhere('links', { env: { HOME, LINNET_URL: 'https://go.example.org' } })
  expect(url.stderr).toBe('LINNET_URL is set without LINNET_TOKEN: set that too.\n')
  const token = await elsewhere('links', { env: { HOME, LINNET_TOKEN: 'lnt_1' } })
  expect(token.stderr).toBe(
    'LINNET_TOKEN is set without LINNET_URL: set that to the address too.\n',
  )
})

it('says that a server is not Linnet before it sends a token there, and follows no redirect', async () => {
  const heard: (string | undefined)[] = []
  const hear =
    (answer: RequestListener): RequestListener =>
    (request, response) => {
      heard.push(request.headers.authorization)
      return answer(request, response)
    }
  const page = hear((_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Hi'))
  const lost = hear((_, response) =>
    response
      .writeHead(404, { 'Content-Type': 'application/problem+json' })
      .end(JSON.stringify(problem(404, 'not_found', 'Nothing here.'))),
  )
  const other = hear((_, response) =>
    response.setHeader('Content-Type', 'application/json').end('{"paths":{"/pets":{"get":{}}}}'),
  )
  const away = hear((_, response) =>
    response.writeHead(301, { Location: 'https://evil.example' }).end(),
  )
  for (const listener of [page, lost, other, away]) {
    const url = await listening(listener)
    const said = await elsewhere(['login', url], { env: emptyHome(), stdin: 'lnt_1\n' })
    expect(said).toMatchObject({ code: 69, stdout: '' })
    expect(said.stderr).toMatch(/ is not Linnet|but not as Linnet does|leads on to https:\/\/evil/i)
  }
  expect(heard).toEqual([undefined, undefined, undefined, undefined])
})

it('says that nothing listens, and what does not speak TLS', async () => {
  const closed = await elsewhere('login http://127.0.0.1:9', { env: emptyHome(), stdin: 'lnt_1' })
  expect(closed).toMatchObject({ code: 69 })
  expect(closed.stderr).toContain('http://127.0.0.1:9 does not answer')
  const plain = new URL(await listening((_, response) => response.end()))
  const tls = await elsewhere(`login https://${plain.host}`, { env: emptyHome(), stdin: 'lnt_1' })
  expect(tls).toMatchObject({ code: 69 })
  expect(tls.stderr).toContain(
    `${plain.host} does not speak TLS. If it has only http, log in with http://`,
  )
})

it.skipIf(!hasOpenssl)('says why a certificate is not trusted, and how to trust it', async () => {
  const url = await untrustedServer()
  const said = await elsewhere(['login', url], { env: emptyHome(), stdin: 'lnt_1' })
  expect(said).toMatchObject({ code: 69 })
  expect(said.stderr).toContain(`The certificate of ${url} is not trusted: it was signed by nobody`)
  expect(said.stderr).toContain('NODE_EXTRA_CA_CERTS=/path/ca.pem')
  const client = new Linnet({ url, token: 'lnt_1', retries: 0 })
  await expect(client.profile.get()).rejects.toThrow(
    `${url} does not answer: self-signed certificate`,
  )
})

it('warns of a server to which the token is not encrypted', async () => {
  const said = await elsewhere('login http://192.0.2.1', {
    env: emptyHome(),
    stdin: 'lnt_1',
    fetch: () => Promise.reject(new Error('nothing there')),
  })
  expect(said.stderr).toContain('http://192.0.2.1 is not encrypted: whoever is in between can read')
})

it('says that a token is not valid, with 77, and that a server lacks a command', async () => {
  const { env } = await linnetThat(() => [401, problem(401, 'unauthenticated', 'No.')])
  const denied = await elsewhere('links create https://long.example/1', { env })
  expect(denied).toMatchObject({ code: 77, stdout: '' })
  expect(denied.stderr).toBe(
    `The token is not valid. Log in again: linnet login ${env.LINNET_URL}\n`,
  )
  const older = await elsewhere('remote webhooks list', { env })
  expect(older).toMatchObject({ code: 1 })
  expect(older.stderr).toContain('has no command webhooks. It may be older than this program')
  expect(await elsewhere('webhooks', { env })).toMatchObject({ code: undefined, stderr: '' })
})

it('stops at a 429 that lasts, says what was done, and makes nothing twice when it is run again', async () => {
  let left = 25
  const { env, sent } = await linnetThat(one => {
    left -= 1
    if (left >= 0) return made(one)
    return [429, problem(429, 'too_many_requests', 'Too many.'), { 'Retry-After': '3600' }]
  })
  const stopped = await elsewhere('links create', { env, stdin: lines(300) })
  expect(stopped).toMatchObject({ code: 75 })
  expect(stopped.stdout.split('\n')).toHaveLength(26)
  expect(stopped.stderr).toContain(
    'Stopped: 25 lines: 25 done, 0 refused. All others were not sent',
  )
  expect(stopped.stderr).toContain('Run the same again: nothing is made twice.')
  expect(sent.length).toBeLessThan(50)

  left = 300
  const again = await elsewhere('links create', { env, stdin: lines(300) })
  expect(again).toMatchObject({ code: 0, stderr: '300 lines: 300 done, 0 refused.\n' })
  expect(again.stdout).toMatch(
    /^https:\/\/short\.example\/0\n(.*\n){298}https:\/\/short\.example\/299\n$/,
  )
  expect(sent.every(({ body }) => body.reuse)).toBe(true)
})

it('leaves no file that is not whole, when the connection breaks', async () => {
  const { env } = await linnetThat(made)
  const file = join(env.HOME, 'links.jsonl')
  for (const words of [`links export --output ${file}`, 'links export']) {
    const said = await elsewhere(words, { env })
    expect(said).toMatchObject({ code: 69 })
    expect(said.stderr).toBe(`The connection to ${env.LINNET_URL} broke before all had come.\n`)
  }
  expect(readdirSync(env.HOME).filter(it => it.startsWith('links'))).toEqual([])
})

it('goes on after lines that are refused, and names them with why', async () => {
  const { env } = await linnetThat(one =>
    one.body.original_url.endsWith('/1')
      ? [409, problem(409, 'short_code_taken', 'It is \u001b[2Jtaken.')]
      : made(one),
  )
  const input = `${lines(3)}\n{"original_url": "https://long.example/3"}\n{nonsense\n`
  const said = await elsewhere('links create', { env, stdin: input })
  expect(said).toMatchObject({
    code: 1,
    stdout: [0, 2, 3].map(it => `https://short.example/${it}\n`).join(''),
  })
  expect(said.stderr).toBe(
    'Line 2: It is \ufffd[2Jtaken.\n' +
      'Line 6: Enter the original-url alone, or valid JSON with fields.\n' +
      '5 lines: 3 done, 2 refused.\n',
  )
  const asJson = await elsewhere('links create --json', { env, stdin: input })
  const results = asJson.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(results.map(({ line, data, problem }) => [line, data?.id, problem?.code])).toEqual([
    [1, 'lnk_1', undefined],
    [2, undefined, 'short_code_taken'],
    [3, 'lnk_1', undefined],
    [5, 'lnk_1', undefined],
    [6, undefined, 'invalid'],
  ])
})

it('sends a line with a password under a key that is the same next time, and another for the same line once more', async () => {
  const { env, sent } = await linnetThat(made)
  const stdin = 'https://long.example/1\nhttps://long.example/1\n'
  const twice = [0, 1].map(() => elsewhere('links create --password open1234', { env, stdin }))
  await Promise.all(twice)
  const keys = sent.map(({ key }) => key)
  expect(sent.some(({ body }) => body.reuse)).toBe(false)
  expect([keys.length, new Set(keys).size]).toEqual([4, 2])
})

it.each(['links list --all', 'links create https://long.example/ --campaign spring'])(
  'does not follow pages in a circle, in "%s"',
  async words => {
    const { '/api/v1/links': links } = description.paths
    const { schema } = links.post.requestBody.content['application/json']
    const properties = { ...schema.properties, campaign_id: { type: 'string' } }
    const content = { 'application/json': { schema: { ...schema, properties } } }
    const answer = {
      type: 'object',
      properties: {
        data: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        meta: { type: 'object', properties: { nextCursor: { type: 'string' } } },
      },
    }
    const get = {
      ...links.get,
      responses: { 200: { content: { 'application/json': { schema: answer } } } },
    }
    const paths = {
      '/api/v1/links': { get, post: { ...links.post, requestBody: { content } } },
      '/api/v1/campaigns': { get: { ...get, operationId: 'campaigns.list' } },
    }
    const meta = { currentPage: 1, perPage: 100, total: 5, lastPage: 2, nextCursor: null }
    let pages = 0
    const LINNET_URL = await listening((request, response) => {
      response.setHeader('Content-Type', 'application/json')
      if (request.url?.endsWith('openapi.json')) {
        return response.end(JSON.stringify({ ...description, paths }))
      }
      pages += 1
      if (pages > 5) return request.socket.destroy()
      return response.end(
        JSON.stringify({ data: [], meta: { ...meta, nextCursor: `${pages % 2}` } }),
      )
    })
    const said = await elsewhere(words, {
      env: { ...emptyHome(), LINNET_URL, LINNET_TOKEN: 'lnt_1' },
    })
    expect(said).toMatchObject({ code: 69, stdout: '' })
    expect(said.stderr).toContain('The pages of the list lead to no end.')
    expect(pages).toBe(3)
  },
)

it('says at Ctrl-C what was done of many, and how to find out about one', async () => {
  const stopping = new AbortController()
  let left = 10
  const { env } = await linnetThat(one => {
    left -= 1
    if (left === 0) stopping.abort(new Interrupted('Interrupted.'))
    return left > 0 ? made(one) : undefined
  })
  const { signal } = stopping
  const many = await elsewhere('links create', { env, stdin: lines(300), signal })
  expect(many).toMatchObject({ code: 130 })
  const done = many.stdout.split('\n').length - 1
  expect(done).toBeGreaterThan(0)
  expect(done).toBeLessThan(10)
  expect(many.stderr).toContain(`Interrupted.\nStopped: ${done} lines: ${done} done, 0 refused.`)

  const another = new AbortController()
  const silent = await linnetThat(() => {
    another.abort(new Interrupted('Interrupted.'))
    return undefined
  })
  const words = 'links create https://long.example/1'
  const one = await elsewhere(words, { env: silent.env, signal: another.signal })
  expect(one).toMatchObject({ code: 130, stdout: '' })
  expect(one.stderr).toBe(
    `Interrupted. Whether it was done is not known. Run it again with --idempotency-key ${silent.sent[0]?.key}: then it is not done twice.\n`,
  )
})
