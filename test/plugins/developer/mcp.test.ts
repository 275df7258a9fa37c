import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { definePlugin, endpoint, z } from '../../../core/plugin.ts'
import mcp from '../../../plugins/developer/mcp.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

const parts = [
  mcp,
  'developer.apiKeys',
  'link.customShortCode',
  'link.editOriginalUrl',
  'organization.tags',
  'analytics.visitsTracking',
  'analytics.visitsOverTime',
] as const

let linnet: Harness
let address: string
/** How many calls of one tool were under way, whenever that changed. */
let atOnce: number[]
let written: number

beforeEach(async () => {
  atOnce = []
  written = 0
  linnet = await boot([
    ...parts,
    definePlugin({
      feature: 'acme.moods',
      about: 'Tell moods.',
      endpoints: {
        'GET /moods': endpoint({
          summary: 'List moods',
          scope: 'links:read',
          answer: z.strictObject({ data: z.array(z.string()) }),
          unstable: { tool: 'List the moods that links can have.' },
          handle: () => ({ data: ['calm'] }),
        }),
        'GET /words': endpoint({
          summary: 'List many words',
          scope: 'links:read',
          answer: z.strictObject({ data: z.string() }),
          unstable: { tool: 'List many words.' },
          async handle() {
            atOnce.push((atOnce.at(-1) ?? 0) + 1)
            await turn()
            atOnce.push((atOnce.at(-1) ?? 0) - 1)
            return { data: 'x'.repeat(400_000) }
          },
        }),
        'POST /words': endpoint({
          summary: 'Write many words',
          scope: 'links:write',
          answer: z.strictObject({ data: z.string() }),
          status: 201,
          unstable: { tool: 'Write many words.' },
          handle() {
            written += 1
            return { data: 'y'.repeat(400_000) }
          },
        }),
      },
    }),
  ])
  onTestFinished(() => linnet.stop())
  // The client has HTTP of its own, so it needs a port.
  const server = createServer(linnet.app.server.handle).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/mcp`
})

async function tokenFor(...scopes: readonly string[]): Promise<string> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'Assistant', scopes })
  return body.data.token
}

/** The official client, in one of the two eras of the protocol. */
async function connect(
  token: string,
  revision: string,
  answerOf?: (message: string) => object,
): Promise<Client> {
  const mode = revision.startsWith('2025') ? 'legacy' : { pin: revision }
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: mode as never },
      ...(answerOf && { capabilities: { elicitation: { form: {} } } }),
    },
  )
  if (answerOf) {
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => answerOf(params.message) as never,
    )
  }
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as unknown as [{ text: string }]
  return { isError, said: text.startsWith('{') ? JSON.parse(text) : text }
}

describe.each(['2026-07-28', '2025-11-25'])('a client of MCP %s', revision => {
  it('makes, finds, changes and counts links by the tools of the API', async () => {
    const client = await connect(await tokenFor('*'), revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'profile_show',
      'links_create',
      'links_list',
      'links_lookup',
      'links_update',
      'links_destroy',
      'links_restore',
      'analytics_show',
      'analytics_show_links',
      'links_analytics',
      'tags_create',
      'tags_list',
      'moods_list',
      'words_show',
      'words_create',
    ])
    const made = await call(client, 'links_create', {
      original_url: 'https://example.org/spring',
      short_code: 'spring',
    })
    expect(made).toMatchObject({ isError: false, said: { data: { shortCode: 'spring' } } })
    await linnet.visit('spring')
    const { said: found } = await call(client, 'links_lookup', { short_code: 'spring' })
    expect(found.data).toMatchObject({ id: made.said.data.id, visits: { total: 1 } })
    const changed = await call(client, 'links_update', { id: found.data.id, title: 'Spring' })
    expect(changed.said.data.title).toBe('Spring')
    const { said: counted } = await call(client, 'links_analytics', { id: found.data.id })
    expect(counted.data.totals.visits).toBe(1)
    expect((await call(client, 'moods_list')).said).toEqual({ data: ['calm'] })
  })

  it('deletes nothing before it has shown what, and then only that', async () => {
    const client = await connect(await tokenFor('links:write'), revision)
    const { id, shortCode } = await linnet.create()
    const { id: other } = await linnet.create()
    const tried = await call(client, 'links_destroy', { id })
    expect(tried.said).toMatchObject({
      would_delete: { data: { id, shortCode } },
      confirm: expect.any(String),
    })
    expect((await linnet.visit(shortCode)).status).toBe(302)

    const { confirm } = tried.said
    for (const args of [
      { id: other, confirm },
      { id, confirm: 'yes' },
      { id, confirm: `${confirm}A` },
    ]) {
      expect(await call(client, 'links_destroy', args)).toMatchObject({ isError: true })
    }
    expect((await linnet.api('GET', `/links/${other}`)).status).toBe(200)
    linnet.at('2026-11-20T12:00:01Z')
    await linnet.api('PATCH', `/links/${other}`, { title: 'Changed' })
    const before = (await call(client, 'links_destroy', { id: other })).said.confirm
    linnet.at('2026-11-20T12:00:02Z')
    await linnet.api('PATCH', `/links/${other}`, { title: 'Changed again' })
    expect(await call(client, 'links_destroy', { id: other, confirm: before })).toMatchObject({
      isError: true,
    })
    expect(await call(client, 'links_destroy', { id, confirm })).toEqual({
      isError: false,
      said: 'Done.',
    })
    expect((await linnet.visit(shortCode)).status).toBe(404)
    expect((await call(client, 'links_restore', { id })).isError).toBe(false)
    expect((await linnet.visit(shortCode)).status).toBe(302)
    // What was restored was not confirmed.
    expect((await call(client, 'links_destroy', { id, confirm })).isError).toBe(true)
    expect((await linnet.visit(shortCode)).status).toBe(302)
  })

  it('is offered only what the scopes of its token open, and only links of its account', async () => {
    const client = await connect(await tokenFor('links:read'), revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'links_list',
      'links_lookup',
      'moods_list',
      'words_show',
    ])
    await expect(
      call(client, 'links_create', { original_url: 'https://example.org/' }),
    ).rejects.toThrow('There is no tool links_create, or the token does not open it.')
    const asOther = await otherAccount(linnet)
    const { body } = await asOther('POST', '/links', { original_url: 'https://example.org/' })
    expect(body.data.id).toMatch(/^lnk_/)
    const { id } = await linnet.create()
    const { said } = await call(client, 'links_list')
    expect(said.data.map((link: { id: string }) => link.id)).toEqual([id])
  })

  it('reads what is wrong with each argument, and tries a change that is not made', async () => {
    const client = await connect(await tokenFor('links:write'), revision)
    const wrong = await call(client, 'links_create', { original_url: 'nonsense', colour: 'red' })
    expect(wrong.isError).toBe(true)
    expect(JSON.stringify(wrong.said)).toContain('original_url')
    expect(JSON.stringify(wrong.said)).toContain('colour')
    expect(await call(client, 'links_update', { title: 'x' })).toEqual({
      isError: true,
      said: 'id is missing.',
    })
    expect((await call(client, 'links_lookup', { short_code: '../profile' })).said.status).toBe(404)
    const tried = await call(client, 'links_create', {
      original_url: 'https://example.org/',
      short_code: 'tried',
      dry_run: true,
    })
    expect(tried.isError).toBe(false)
    expect((await linnet.visit('tried')).status).toBe(404)
  })
})

describe('a client that can ask its user', () => {
  it.each([
    ['agrees', { action: 'accept', content: { agreed: true } }, 'Done.', 404],
    [
      'says no',
      { action: 'accept', content: { agreed: false } },
      'The user does not want it. Nothing was deleted.',
      302,
    ],
    ['declines', { action: 'decline' }, 'The user does not want it. Nothing was deleted.', 302],
  ] as const)('deletes as its user %s', async (_, answer, said, status) => {
    const asked: string[] = []
    const client = await connect(await tokenFor('links:write'), '2026-07-28', message => {
      asked.push(message)
      return answer
    })
    const { id, shortCode, shortUrl } = await linnet.create()
    expect((await call(client, 'links_destroy', { id })).said).toBe(said)
    expect(asked).toEqual([`Delete a link and its visits: ${shortUrl}?`])
    expect((await linnet.visit(shortCode)).status).toBe(status)
  })
})

describe('MCP', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  const bearing = async (...scopes: readonly string[]) => ({
    authorization: `Bearer ${await tokenFor(...scopes)}`,
  })

  it('asks for a token, and says how', async () => {
    for (const headers of [{}, { authorization: 'Bearer lnt_wrong' }]) {
      const answer = await post(ping, headers as never)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="Linnet"/)
    }
    expect((await post(ping, await bearing('links:read'))).status).toBe(200)
  })

  it('takes no session, whatever page asks', async () => {
    const answer = await linnet.api('POST', '/mcp', ping)
    expect(answer.status).toBe(401)
  })

  it('answers no page in a browser', async () => {
    const headers = { ...(await bearing('links:read')), origin: 'https://evil.example' }
    expect((await post(ping, headers)).status).toBe(403)
  })

  it('opens no stream: GET and DELETE are 405, and a subscription is refused', async () => {
    const headers = await bearing('links:read')
    for (const method of ['GET', 'DELETE']) {
      expect((await fetch(address, { method, headers })).status).toBe(405)
    }
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const method = 'subscriptions/listen'
    const answer = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { _meta: meta, notifications: { toolsListChanged: true } },
      },
      { ...headers, 'mcp-method': method, 'mcp-protocol-version': '2026-07-28' },
    )
    expect(await answer.text()).toContain('error')
  })

  it('takes twenty messages at once, and no more', async () => {
    const headers = await bearing('links:read')
    const many = (length: number) => Array.from({ length }, (_, id) => ({ ...ping, id }))
    expect((await post(many(20), headers)).status).toBe(200)
    expect((await post(many(21), headers)).status).toBe(422)
  })

  it('lists its tools once among several messages', async () => {
    const headers = await bearing('links:read')
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await post([ping, list], headers)).status).toBe(200)
    expect((await post([list, ping, { ...list, id: 2 }], headers)).status).toBe(422)
  })

  it('answers them one after another, and no more than a model reads', async () => {
    const params = { name: 'words_show', arguments: {} }
    const calls = Array.from({ length: 20 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call', params },
    }))
    const answer = await post(calls, await bearing('links:read'))
    const text = await answer.text()
    expect(text.match(/x{400000}/g)).toHaveLength(2)
    expect(text.match(/The answers have more than 1048576 characters/g)).toHaveLength(18)
    expect(atOnce).toEqual([1, 0, 1, 0, 1, 0])
  })

  it('tells of each change that it was made, however much was read before, and makes no more of them then', async () => {
    const names = ['words_show', 'words_show', 'words_create', 'words_create']
    const calls = names.map((name, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } },
    }))
    const text = await (await post(calls, await bearing('links:read', 'links:write'))).text()
    expect([written, text.match(/y{400000}/g)?.length]).toEqual([1, 1])
    expect(text.match(/The answers have more than/g)).toHaveLength(1)
  })

  it.each([
    ['no message', {}],
    ['a list of nothing', []],
    ['a text', 'hello'],
    ['null', null],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'links/delete' }],
    ['a call without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }],
    [
      'arguments that are no object',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'links_list', arguments: 'x' },
      },
    ],
  ])('answers %s with an error of the protocol', async (_, body) => {
    const answer = await post(body, await bearing('links:read'))
    expect(answer.status).toBeLessThan(500)
    expect(await answer.text()).toContain('"error"')
  })

  it('refuses a header that says something else than the message', async () => {
    const headers = await bearing('links:read')
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }
    const said = { ...headers, 'mcp-protocol-version': '2026-07-28' }
    expect((await post(listing, { ...said, 'mcp-method': 'tools/list' })).status).toBe(200)
    expect((await post(listing, { ...said, 'mcp-method': 'tools/call' })).status).toBe(400)
  })
})
