import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type App,
  scopesOfAssistants,
  snippets,
} from '../../../../plugins/dashboard/web/pages/tokens/apps/snippets.ts'
import { boot, type Harness } from '../../../harness.ts'

const run = promisify(execFile)

let linnet: Harness
let origin: string
let token: string
let end: () => void

beforeAll(async () => {
  linnet = await boot(['developer.apiKeys', 'developer.mcp'])
  const server = createServer(linnet.app.server.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  end = () => server.close()
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // As the page makes it.
  const made = await linnet.api('POST', '/api-tokens', { name: 'App', scopes: ['links:write'] })
  token = made.body.data.token
})
afterAll(async () => {
  end()
  await linnet.stop()
})

const snippet = (app: App) => snippets[app]({ origin, token })
const shortUrl = /^https:\/\/go\.example\.org\/\w+$/

/** Where a short URL leads, by the API. */
async function leadsTo(url: string): Promise<string> {
  const { body } = await linnet.api('GET', `/links/lookup?short_code=${url.split('/').at(-1)}`)
  return body.data.originalUrl
}

/** What programs say when they read an answer by a path such as `data.shortUrl`. */
function at(json: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], json)
}

describe('a snippet', () => {
  it('for assistants names the server that answers them, and what its token opens', async () => {
    const { linnet: of } = JSON.parse(snippet('assistant')).mcpServers
    const made = await linnet.api('POST', '/api-tokens', {
      name: 'App',
      scopes: scopesOfAssistants,
    })
    const authorization = `Bearer ${made.body.data.token}`
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { ...of.headers, Authorization: authorization } }
    await client.connect(new StreamableHTTPClientTransport(new URL(of.url), { requestInit }))
    const { tools } = await client.listTools()
    await client.close()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['links_create', 'links_destroy', 'links_analytics']),
    )
  })

  it('for ShareX shortens, as ShareX reads it, and says what is wrong', async () => {
    const uploader = JSON.parse(snippet('shareX'))
    expect(uploader).toMatchObject({ DestinationType: 'URLShortener', Body: 'JSON' })
    // ShareX reads braces, bars and backslashes in these as its own, and names after % in all that it sends.
    const parsed = [uploader.RequestURL, ...Object.values(uploader.Headers)].join(' ')
    expect(parsed).not.toMatch(/[{}|\\%]/)
    expect(uploader.Data).not.toContain('%')
    const upload = async (input: string) => {
      // In JSON, ShareX escapes what it fills in.
      const body = uploader.Data.replace('{input}', JSON.stringify(input).slice(1, -1))
      const answer = await fetch(uploader.RequestURL, {
        method: uploader.RequestMethod,
        headers: { ...uploader.Headers, 'Content-Type': 'application/json' },
        body,
      })
      const [, path = ''] =
        /^\{json:(.+)\}$/.exec(answer.ok ? uploader.URL : uploader.ErrorMessage) ?? []
      return String(at(await answer.json(), path))
    }
    const url = 'https://example.com/a?b="c"&d={e}'
    const short = await upload(url)
    expect(short).toMatch(shortUrl)
    expect(await leadsTo(short)).toBe(new URL(url).href)
    // The same URL has one link.
    expect(await upload(url)).toBe(short)
    expect(await upload('none')).toBe('A field of the request is invalid.')
  })

  it('for iOS Shortcuts names what a request needs', async () => {
    const fields = Object.fromEntries(
      snippet('shortcuts')
        .split('\n')
        .map(line => line.split(/\s{2,}/) as [string, string]),
    )
    const answer = await fetch(`${fields.URL}`, {
      method: `${fields.Method}`,
      headers: { Authorization: `${fields.Authorization}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ original_url: 'https://example.com/shortcut' }),
    })
    expect(fields.original_url).toBe('Shortcut Input')
    expect(at(await answer.json(), `${fields.Value}`)).toMatch(shortUrl)
  })

  it('for Raycast runs, and copies what it made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linnet-apps-'))
    try {
      const [script, pbcopy] = [join(folder, 'shorten-url.sh'), join(folder, 'pbcopy')]
      writeFileSync(script, snippet('raycast'))
      writeFileSync(pbcopy, `#!/bin/sh\ncat > ${folder}/copied\n`)
      chmodSync(pbcopy, 0o755)
      const shorten = (url: string) =>
        run('bash', [script, url], { env: { PATH: `${folder}:${process.env.PATH}` } })
      const url = 'https://example.com/";touch&$(id)\\`id`'
      const { stdout } = await shorten(url)
      expect(stdout.trim()).toMatch(shortUrl)
      expect(readFileSync(join(folder, 'copied'), 'utf8')).toBe(stdout.trim())
      const asked = url.replaceAll('\\', '%5C').replaceAll('"', '%22')
      expect(await leadsTo(stdout.trim())).toBe(new URL(asked).href)
      await expect(shorten('none')).rejects.toMatchObject({
        code: 1,
        stdout: 'The link was not made.\n',
      })
      expect(snippet('raycast')).toMatch(/^#!\/bin\/bash\n\n# @raycast\.schemaVersion 1\n/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('for Home Assistant is a command that makes a link', async () => {
    const yaml = snippet('homeAssistant')
    const value = (name: string) =>
      new RegExp(`^ +${name}: ["']?(.*?)["']?$`, 'm').exec(yaml)?.[1] ?? ''
    const template = value('payload')
    const [, object = ''] = /^\{\{ (\{.*\}) \| to_json \}\}$/.exec(template) ?? []
    // Its templates and JavaScript write this object alike.
    const body = JSON.stringify(runInNewContext(`(${object})`, { url: 'https://example.com/home' }))
    const answer = await fetch(value('url'), {
      method: value('method').toUpperCase(),
      headers: { 'Content-Type': value('content_type'), Authorization: value('Authorization') },
      body,
    })
    expect(at(await answer.json(), 'data.shortUrl')).toMatch(shortUrl)
    expect(yaml).toMatch(/^rest_command:\n {2}shorten_url:\n/)
  })

  it('for n8n is a node that makes a link', async () => {
    const [node] = JSON.parse(snippet('n8n')).nodes
    const { method, url, headerParameters, jsonBody } = node.parameters
    const [, expression = ''] = /^=\{\{ (.*) \}\}$/.exec(jsonBody) ?? []
    const body = runInNewContext(expression, { $json: { url: 'https://example.com/n8n' } })
    const headers = headerParameters.parameters.map(
      ({ name, value }: { name: string; value: string }) => [name, value],
    )
    const answer = await fetch(url, {
      method,
      headers: { ...Object.fromEntries(headers), 'Content-Type': 'application/json' },
      body,
    })
    expect(at(await answer.json(), 'data.shortUrl')).toMatch(shortUrl)
  })

  it('for curl runs in a shell', async () => {
    const { stdout } = await run('sh', ['-c', `${snippet('curl')} --silent`])
    expect(at(JSON.parse(stdout), 'data.shortUrl')).toMatch(shortUrl)
  })

  it('for a bookmark opens the form with the page', () => {
    const opened: string[] = []
    runInNewContext(snippet('bookmarklet').replace(/^javascript:/, ''), {
      open: (url: string) => opened.push(url),
      location: { href: 'https://example.com/?a=b&c' },
      document: { title: 'A & B' },
      encodeURIComponent,
    })
    const [url = ''] = opened
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      url: 'https://example.com/?a=b&c',
      title: 'A & B',
    })
  })
})
