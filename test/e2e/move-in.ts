import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { type AskedOnce, exportOf, type Moved, partAt } from '../moved/moved.ts'
import { browser, callsTo, type Instance, serve, token } from './server.ts'

/** Linnet at the address of another program. */
export interface MovedIn {
  /** Where it really listens. */
  readonly url: string
  readonly host: string
  /** What stands for names in braces. */
  readonly named: Map<string, string>
}

/** Starts a server at the address of another program with a door, and imports all that it had. */
export async function moveIn(source: string, moved: Moved): Promise<MovedIn> {
  const { baseUrl = '' } = moved
  const server = await serve({ env: { LINNET_BASE_URL: baseUrl } })
  const { port } = await server.logged(/^Linnet is ready/)
  const url = `http://127.0.0.1:${port}`
  await call(url, 'PATCH', `/admin/plugins/developer.${source}`, { enabled: true })
  await importAll({ url }, source, moved)
  const scopes = ['links:write', 'analytics:read']
  const client = await call(url, 'POST', '/api-tokens', { name: 'Client', scopes })
  return { url, host: new URL(baseUrl).host, named: new Map([['token', client.token]]) }
}

/** Imports all that another program or a service had. */
export async function importAll(
  { url }: Pick<Instance, 'url'>,
  source: string,
  moved: Moved,
): Promise<void> {
  for (const before of moved.before) await call(url, ...before)
  const { options, settings: said = {} } = moved
  if (moved.export.endsWith('/api.json')) {
    const settings = { ...said, api: await serveAnswers(exportOf(moved)) }
    await ended(url, await call(url, 'POST', '/imports', { source, options, settings }))
    return
  }
  const run = await call(url, 'POST', '/imports', {
    ...{ source, options, settings: said, with_file: true },
  })
  const sent = await fetch(`${url}/api/v1/imports/${run.id}/file`, {
    ...{ method: 'PUT', body: readFileSync(exportOf(moved)) },
    headers: { authorization: `Bearer ${token}` },
  })
  expect(sent.status).toBe(200)
  await ended(url, run)
}

async function ended(url: string, { id }: { readonly id: string }): Promise<void> {
  const state = async () => (await callsTo(url).api('GET', `/imports/${id}`)).body.data.state
  await expect.poll(state).toBe('done')
}

async function call(url: string, method: string, path: string, body: unknown) {
  const answer = await callsTo(url).api(method, path, body)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  return answer.body.data
}

/** A service with these answers by path and query. Resolves to its address. */
export async function serveAnswers(file: string): Promise<string> {
  const answers: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'))
  const server = createServer(({ url = '' }, response) => {
    const isKnown = Object.hasOwn(answers, url)
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? answers[url] : { asked: url }))
  })
  onTestFinished(() => {
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends a request, and resolves to the parts of the answer that may be compared. */
export async function send({ url, host, named }: MovedIn, asked: AskedOnce) {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (all, name) => named.get(name) ?? all)
  const [method = '', path = ''] = fill(asked.ask).split(' ')
  const filled = Object.entries(asked.form ?? {}).map(([name, value]) => [name, fill(value)])
  const [type, body] = asked.json
    ? ['application/json', JSON.stringify(asked.json)]
    : [
        'application/x-www-form-urlencoded',
        asked.form && `${new URLSearchParams(Object.fromEntries(filled))}`,
      ]
  const sent = request(url, {
    ...{ method, path },
    headers: {
      ...{ host: asked.host ?? host, 'user-agent': browser },
      ...(body !== undefined && { 'content-type': type }),
      ...asked.headers,
    },
  }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = response
  const said = await text(response)
  const isJson = /json/.test(headers['content-type'] ?? '') && said !== ''
  const answer = {
    status,
    location: headers.location,
    text: said,
    body: isJson && JSON.parse(said),
  }
  for (const [name, part] of Object.entries(asked.keep ?? {})) {
    named.set(name, `${partAt(answer, part)}`)
  }
  return answer
}
