import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../core/http/api/route/route.ts'
import type { Answer, Harness, Headers } from '../harness.ts'
import { always, hashPassword, publicId } from '../inside.ts'
import { aPerson, type Person } from './people.ts'
import { bootAll } from './whole-instance.ts'

/**
 * Which routes ask a session for its password. Every route that changes something and is for admins or for credentials
 * that may do everything has a row: a new one must be decided.
 *
 * always: it gives more than the session has, as a password, a backup or a plugin does, or deletes an account
 * or a backup.
 * by body: some bodies do. itself: its handler asks. no: what it does ends with the session or can be undone.
 */
const expected = `
POST /admin/accounts                       by body
DELETE /admin/accounts/:id                 always
PATCH /admin/accounts/:id                  by body
DELETE /admin/accounts/:id/api-tokens/:token always
POST /admin/accounts/:id/hand-over         always
DELETE /admin/accounts/:id/identities/:identity always
DELETE /admin/accounts/:id/one-time-link   no
POST /admin/accounts/:id/one-time-link     always
POST /admin/accounts/:id/release           always
DELETE /admin/accounts/:id/sessions/:session always
POST /admin/accounts/:id/suspend           always
POST /admin/backups                        no
DELETE /admin/backups/:name                always
GET /admin/backups/:name                   itself
POST /admin/backups/:name/download-link    always
POST /admin/blocked-links/:id/release      no
PATCH /admin/brand                         no
POST /admin/brand/preview                  no
POST /admin/domains                        no
DELETE /admin/domains/:id                  no
PATCH /admin/features                      no
PATCH /admin/front-page                    no
POST /admin/jobs/:name/run                 no
POST /admin/plans                          no
DELETE /admin/plans/:slug                  no
PATCH /admin/plans/:slug                   no
POST /admin/plans/:slug/move-accounts      no
PATCH /admin/plugins/:feature              itself
DELETE /admin/plugins/packages             always
POST /admin/plugins/packages               always
POST /api-tokens                           itself
GET /export                                no
GET /export/static                         no
GET /identities                            no
DELETE /identities/:id                     no
DELETE /profile                            always
PATCH /profile                             no
PATCH /profile/password                    itself
POST /session/proof                        itself
DELETE /second-factor                      no
POST /second-factor                        no
POST /second-factor/confirm                no
DELETE /second-factor/passkeys/:id         no
PATCH /second-factor/passkeys/:id          no
POST /second-factor/passkeys               no
POST /second-factor/passkeys/confirm       no
POST /second-factor/recovery-codes         no
GET /sessions                              no
DELETE /sessions/:id                       no
GET /yourls-signatures                     no
POST /yourls-signatures                    no
DELETE /yourls-signatures/:id              no
POST /yourls-signatures/:id/reveal         no
`

/** These check the password in their handlers: see the tests of their files. */
const ask = new Set([
  ...['GET /admin/backups/:name', 'POST /api-tokens', 'PATCH /profile/password'],
  ...['POST /session/proof', 'PATCH /admin/plugins/:feature'],
])

/** What is sent to each route that asks, apart from the password. */
const bodies: Readonly<Record<string, object>> = {
  'POST /admin/accounts': { email: 'eve@example.org', isAdmin: true },
  'PATCH /admin/accounts/:id': { password: 'difference engine' },
  'POST /admin/accounts/:id/hand-over': { to: 'acc_nobody' },
  'DELETE /admin/plugins/packages': { package: 'linnet-plugin-hours' },
  'POST /admin/plugins/packages': { package: 'linnet-plugin-hours' },
}

const password = 'analytical engine'
let linnet: Harness
let asking: readonly Route[]

beforeAll(async () => {
  linnet = await bootAll()
  asking = linnet.app.routes.filter(({ asksPassword }) => asksPassword)
})
afterAll(() => linnet.stop())

it('the API asks for the password where the table says', () => {
  const rows = linnet.app.routes.filter(isDecided).map(route => `${nameOf(route)} ${whenOf(route)}`)
  expect(rows.sort()).toEqual(expected.trim().split('\n').map(inOneSpace).sort())
})

it('the API lets no session do these without the right password, and lets it with it', async () => {
  for (const route of asking) {
    const admin = await anAdmin()
    const send = (more: object) => call(route, admin, more)
    const wrong = { status: 422, body: { errors: [{ field: 'current_password' }] } }
    expect(await send({}), nameOf(route)).toMatchObject(wrong)
    expect(await send({ current_password: 'a guess' }), nameOf(route)).toMatchObject(wrong)
    expect((await send({ current_password: null })).status, nameOf(route)).toBe(422)
    const right = await send({ current_password: password })
    expect(right.body?.code, nameOf(route)).not.toBe('wrong_password')
    expect(right.headers, nameOf(route)).toHaveProperty('ratelimit')
  }
})

it('the API refuses even the right password after ten wrong ones in a minute, on whichever of them', async () => {
  const admin = await anAdmin()
  for (let n = 0; n < 10; n += 1) {
    const route = asking[n % asking.length] as Route
    expect((await call(route, admin, { current_password: `guess ${n}` })).status).toBe(422)
  }
  for (const route of asking) {
    expect((await call(route, admin, { current_password: password })).status).toBe(429)
  }
})

it('the API asks neither tokens that may do everything nor accounts that have no password', async () => {
  for (const route of asking) {
    const withToken = await anAdmin()
    const byToken = await call(route, withToken, {}, await withToken.token())
    expect(byToken.body?.code, nameOf(route)).not.toBe('wrong_password')
    const bySession = await call(route, await aPerson(linnet, { isAdmin: true }), {})
    expect(bySession.body?.code, nameOf(route)).not.toBe('wrong_password')
  }
})

it('the API asks for no password where a change of an account gives nothing', async () => {
  const admin = await anAdmin()
  const name = await linnet.api(
    'PATCH',
    await pathOf('/admin/accounts/:id'),
    { plan: 'pro' },
    await admin.session(),
  )
  expect(name.status).toBe(200)
  const body = { email: 'bob@example.org', is_admin: false }
  expect((await linnet.api('POST', '/admin/accounts', body, await admin.session())).status).toBe(
    201,
  )
})

it('the API gives no kept answer to a session that does not know the password', async () => {
  const admin = await anAdmin()
  const path = await pathOf('/admin/accounts/:id/one-time-link')
  const send = async (body: object) =>
    linnet.api('POST', path, body, { ...(await admin.session()), 'idempotency-key': 'one' })
  const made = await send({ current_password: password })
  expect(made.status).toBe(201)
  expect(await send({})).toMatchObject({ status: 422, body: { code: 'wrong_password' } })
  expect((await send({ current_password: password })).body).toEqual(made.body)
})

it.each([
  ['PATCH', '', { password: 'difference engine' }],
  ['PATCH', '', { is_admin: false }],
  ['POST', '/one-time-link', {}],
])('the API refuses %s %s %j for the own account of an admin', async (method, rest, body) => {
  const admin = await anAdmin()
  const path = `/admin/accounts/${publicId('acc', admin.account.id)}${rest}`
  const refused = { status: 409, body: { code: 'own_account' } }
  const sent = { ...body, current_password: password }
  expect(await linnet.api(method, path, sent, await admin.session())).toMatchObject(refused)
  expect(await linnet.api(method, path, sent, await admin.token())).toMatchObject(refused)
})

it.each(['singleSignOn', 'secondFactor', 'mail', 'signUp', 'auditLog'])(
  'the API lets nobody change organization.%s who could not become any admin anyway',
  async name => {
    const path = `/admin/plugins/organization.${name}`
    const admin = await anAdmin()
    const change = async (body: object, credential: Headers) =>
      (await linnet.api('PATCH', path, body, credential)).body
    const session = await admin.session()
    expect(await change({}, session)).toMatchObject({ code: 'wrong_password' })
    expect(await change({ current_password: 'a guess' }, session)).toMatchObject({
      code: 'wrong_password',
    })
    expect(await change({ current_password: password }, session)).toHaveProperty('data')
    expect(await change({}, await admin.token(['admin']))).toMatchObject({
      ...{ code: 'insufficient_scope', requiredScope: '*' },
    })
    expect(await change({}, await admin.token())).toHaveProperty('data')
  },
)

it('the API asks a session for no password to change what decides nothing about people', async () => {
  const admin = await anAdmin()
  const path = '/admin/plugins/link.linkPreview'
  expect((await linnet.api('PATCH', path, {}, await admin.session())).status).toBe(200)
  expect((await linnet.api('PATCH', path, {}, await admin.token(['admin']))).status).toBe(200)
})

it('OpenAPI tells where the password is asked for', async () => {
  const { paths } = (await linnet.api('GET', '/openapi.json')).body
  for (const { method, path, asksPassword } of linnet.app.routes) {
    const described = paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`][method.toLowerCase()]
    expect(/A session must also send/.test(described.description), path).toBe(Boolean(asksPassword))
  }
})

/** An admin with a password. */
async function anAdmin(): Promise<Person> {
  const person = await aPerson(linnet, { isAdmin: true })
  await linnet.db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', person.account.id)
    .execute()
  return person
}

async function call(
  route: Route,
  person: Person,
  more: object,
  credential: Headers | Promise<Headers> = person.session(),
): Promise<Answer> {
  const body = { ...bodies[nameOf(route)], ...more }
  return linnet.api(route.method, await pathOf(route.path), body, await credential)
}

/** The path of an account that nobody is; of other things, of none that exists. */
async function pathOf(path: string): Promise<string> {
  if (!path.startsWith('/admin/accounts/')) return path.replace(/:\w+/, 'nothing')
  const { account } = await aPerson(linnet)
  return path.replace(':id', publicId('acc', account.id))
}

function isDecided({ method, path, scope }: Route): boolean {
  if (ask.has(`${method} ${path}`)) return true
  return scope === '*' || (scope === 'admin' && method !== 'GET')
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}

function whenOf(route: Route): string {
  if (ask.has(nameOf(route))) return 'itself'
  if (!route.asksPassword) return 'no'
  return route.asksPassword === always ? 'always' : 'by body'
}

function inOneSpace(line: string): string {
  return line.replace(/ {2,}/, ' ')
}
