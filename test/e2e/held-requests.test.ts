import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { type Server, serve, token } from './server.ts'

/** Sends all of a request but its body; the function it returns sends that, and gives the status of the answer. */
async function hold({ url }: Server, path: string, credential: string, body: object) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const sent = JSON.stringify(body)
  const head = [
    `POST /api/v1${path} HTTP/1.1`,
    ...['Host: 127.0.0.1', 'Connection: close', 'Content-Type: application/json'],
    ...[`Content-Length: ${sent.length}`, `Authorization: Bearer ${credential}`],
    'Expect: 100-continue',
  ]
  // The server asks for the body once it has read the head.
  const asked = new Promise(resolve => socket.once('data', resolve))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await asked
  return async () => {
    const answer = text(socket)
    socket.write(sent)
    return Number(/^HTTP\/1\.1 (\d+)/.exec(await answer)?.[1])
  }
}

/** An account that an admin made, and a token of it that allows everything. */
async function addAccount(server: Server, email: string, isAdmin: boolean) {
  const password = 'four random words'
  const made = await server.api('POST', '/admin/accounts', { email, password, is_admin: isAdmin })
  expect(made.status).toBe(201)
  const session = await post(server, '/session', { email, password })
  const cookie = `${session.headers.get('set-cookie')}`.split(';')[0] ?? ''
  const draft = { name: 'all', scopes: ['*'], current_password: password }
  const created = await post(server, '/api-tokens', draft, { cookie, origin: server.url })
  expect(created.status).toBe(201)
  const { data } = (await created.json()) as { readonly data: { id: string; token: string } }
  return { id: String(made.body.data.id), own: data }
}

/** Without the token of the admin. */
function post({ url }: Server, path: string, body: object, headers = {}): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const everything = { name: 'more', scopes: ['*'] }
const another = { email: 'eve@example.org', password: 'four other words', is_admin: true }

it('a request whose body is held back does nothing with what was revoked meanwhile', async () => {
  const server = await serve()
  const { own } = await addAccount(server, 'grace@example.org', false)
  const admin = await addAccount(server, 'alan@example.org', true)
  const goOn = await hold(server, '/api-tokens', own.token, everything)
  const makeAdmin = await hold(server, '/admin/accounts', admin.own.token, another)
  const stays = await hold(server, '/api-tokens', token, everything)
  const headers = { authorization: `Bearer ${own.token}` }
  const revoked = await server.api('DELETE', `/api-tokens/${own.id}`, undefined, headers)
  expect(revoked.status).toBe(204)
  const ended = await server.api('PATCH', `/admin/accounts/${admin.id}`, { is_admin: false })
  expect(ended.status).toBe(200)
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(await goOn()).toBe(401)
  expect(await makeAdmin()).toBe(403)
  // Control: one that nobody revoked.
  expect(await stays()).toBe(201)
})

itAtNight('a request whose body is held back makes no admin when its own was deleted', async () => {
  const server = await serve()
  const { id, own } = await addAccount(server, 'alan@example.org', true)
  const goOn = await hold(server, '/admin/accounts', own.token, another)
  expect((await server.api('DELETE', `/admin/accounts/${id}`, {})).status).toBeLessThan(300)
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(await goOn()).toBe(401)
})
