import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { firstOf } from '../at-night.ts'
import { builtProgram, linnet, temporaryFolder } from './program.ts'
import { serve, token } from './server.ts'

it.each(firstOf(1, ['2026-07-28', '2025-11-25']))(
  'a client of MCP %s that starts `linnet mcp` works with a server elsewhere, and reads in the protocol why one refuses',
  async revision => {
    const server = await serve()
    const HOME = temporaryFolder()
    const mode = revision.startsWith('2025') ? 'legacy' : { pin: revision }
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: mode as never } },
    )
    const env = { HOME, LINNET_URL: server.url, LINNET_TOKEN: token }
    const command = process.execPath
    await client.connect(new StdioClientTransport({ command, args: [builtProgram, 'mcp'], env }))
    onTestFinished(() => client.close())
    const call = async (name: string, args: object) => {
      const { content } = await client.callTool({ name, arguments: { ...args } })
      return JSON.parse((content as unknown as [{ text: string }])[0].text)
    }
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('links_create')
    const codes = ['one', 'two', 'three']
    const made = await Promise.all(
      codes.map(it =>
        call('links_create', { original_url: 'https://example.com/', short_code: it }),
      ),
    )
    expect(made.map(({ data }) => data.shortCode)).toEqual(codes)
    expect((await server.get('/two')).status).toBe(302)
    expect((await call('links_lookup', { short_code: 'three' })).data.shortCode).toBe('three')

    const lines = ['nonsense', '{"jsonrpc":"2.0","id":7,"method":"ping"}', '{"method":"x"}']
    const { code, stdout } = await linnet(['mcp'], {
      env: { HOME, LINNET_URL: server.url, LINNET_TOKEN: 'lnt_wrong' },
      stdin: `${lines.join('\n')}\n`,
    })
    const said = stdout.trim().split('\n')
    const [noObject, refused] = ['This line is no JSON object.', expect.stringContaining('token')]
    expect([code, ...said.map(line => JSON.parse(line))]).toEqual([
      0,
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: noObject } },
      { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: refused } },
    ])
  },
)

it('gives no token to a server that is no Linnet', async () => {
  const asked: unknown[] = []
  const other = createServer((req, res) => {
    asked.push([req.url, req.headers.authorization])
    res
      .setHeader('content-type', 'application/json')
      .end('{"openapi":"3.1.0","info":{"title":"Other"}}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code } = await linnet(['mcp'], {
    env: {
      HOME: temporaryFolder(),
      LINNET_URL: `http://127.0.0.1:${port}`,
      LINNET_TOKEN: 'lnt_secret',
    },
    stdin: '{"jsonrpc":"2.0","id":7,"method":"ping"}\n',
  })
  expect([code, asked]).toEqual([69, [['/api/v1/openapi.json', undefined]]])
})
