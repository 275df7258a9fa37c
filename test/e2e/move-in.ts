import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { type AskedOnce, exportOf, type Moved, partAt } from '../moved/moved.ts'
import { browser, callsTo, serve, token } from './server.ts'

/** Linnet at the address of another program. */
interface MovedIn {
  /** Where it really listens. */
  readonly url: string
  readonly host: string
  /** What stands for names in braces. */
  readonly named: Map<string, string>
}

/** Starts a server at the address of the other program, and imports all that it had. */
export async function moveIn(source: string, moved: Moved): Promise<MovedIn> {
  const server = await serve({ env: { LINNET_BASE_URL: moved.baseUrl } })
  const { port } = await server.logged(/^Linnet is ready/)
  const url = `http://127.0.0.1:${port}`
  const { api } = callsTo(url)
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body.data
  }
  await call('PATCH', `/admin/plugins/developer.${source}`, { enabled: true })
  for (const before of moved.before) await call(...before)
  const { options } = moved
  const { id } = await call('POST', '/imports', { source, options, with_file: true })
  const sent = await fetch(`${url}/api/v1/imports/${id}/file`, {
    ...{ method: 'PUT', body: readFileSync(exportOf(moved)) },
    headers: { authorization: `Bearer ${token}` },
  })
  expect(sent.status).toBe(200)
  const state = async () => (await api('GET', `/imports/${id}`)).body.data.state
  await expect.poll(state).toBe('done')
  const scopes = ['links:write', 'analytics:read']
  const client = await call('POST', '/api-tokens', { name: 'Client', scopes })
  return { url, host: new URL(moved.baseUrl).host, named: new Map([['token', client.token]]) }
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
