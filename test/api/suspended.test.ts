import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, Harness } from '../harness.ts'
import { boot } from '../harness.ts'
import { hashPassword, publicId } from '../inside.ts'
import { aPerson, nobody, type Person } from './people.ts'

const password = 'difference engine'
const heard: { readonly type: string; readonly changed: readonly string[] }[] = []

let linnet: Harness
let person: Person
let path: string

beforeEach(async () => {
  heard.length = 0
  linnet = await boot([
    'developer.apiKeys',
    'organization.customDomains',
    'organization.auditLog',
    'link.customShortCode',
    'link.linkPreview',
  ])
  person = await aPerson(linnet)
  path = `/admin/accounts/${publicId('acc', person.account.id)}`
  const password_hash = await hashPassword(password)
  await linnet.db
    .updateTable('accounts')
    .set({ password_hash })
    .where('id', '=', person.account.id)
    .execute()
})
afterEach(() => linnet.stop())

const suspend = (more: object = {}) => linnet.api('POST', `${path}/suspend`, more)
const release = () => linnet.api('POST', `${path}/release`, {})
const signIn = (): Promise<Answer> =>
  linnet.api('POST', '/session', { email: person.account.email, password }, nobody)
const refused = { status: 403, body: { code: 'account_suspended' } }

describe('a suspended account', () => {
  it('is acted for by nobody, until it is released', async () => {
    const [session, token] = [await person.session(), await person.token()]
    const { secret } = (await linnet.api('POST', `${path}/one-time-link`)).body.data
    expect(await suspend()).toMatchObject({
      status: 200,
      body: { data: { suspendedAt: '2026-11-20T12:00:00.000Z', linksClosed: false } },
    })

    const profile = (credential: typeof session) =>
      linnet.api('GET', '/profile', undefined, credential)
    expect((await profile(session)).status).toBe(401)
    expect(await profile(token)).toMatchObject(refused)
    expect(await signIn()).toMatchObject(refused)
    const wrong = { email: person.account.email, password: 'a guess' }
    expect((await linnet.api('POST', '/session', wrong, nobody)).body.code).toBe(
      'invalid_credentials',
    )
    const use = { secret, password: 'analytical engine' }
    expect((await linnet.api('POST', '/one-time-link/use', use, nobody)).status).toBe(403)
    const another = (await linnet.api('POST', `${path}/one-time-link`)).body.data
    const open = { secret: another.secret }
    expect(await linnet.api('POST', '/one-time-link/open', open, nobody)).toMatchObject(refused)

    expect(await release()).toMatchObject({ status: 200, body: { data: { suspendedAt: null } } })
    expect((await profile(session)).status).toBe(401)
    expect((await profile(token)).status).toBe(200)
    expect((await signIn()).status).toBe(201)
  })

  it('has links that go on, or none that lead anywhere, as the admin chooses, in the language of each visitor', async () => {
    const made = await linnet.api(
      'POST',
      '/links',
      { original_url: 'https://example.com/' },
      await person.token(),
    )
    const { shortCode } = made.body.data
    const visit = async (language = 'en', suffix = '') => {
      const headers = { 'accept-language': language, accept: 'text/html' }
      const { status, text } = await linnet.visit(`${shortCode}${suffix}`, { headers })
      return { status, text }
    }
    expect((await visit()).status).toBe(302)
    await suspend()
    expect((await visit()).status).toBe(302)
    await suspend({ links_closed: true })
    for (const [language, words] of [
      ['en', 'This link was suspended'],
      ['de', 'wurde vom Betreiber dieser Seite gesperrt'],
      ['fr', 'a été suspendu'],
      ['es', 'ha suspendido este enlace'],
    ] as const) {
      expect(await visit(language)).toEqual({ status: 403, text: expect.stringContaining(words) })
    }
    expect((await visit('en', '+')).status).toBe(403)
    await release()
    expect((await visit()).status).toBe(302)
  })

  it('has domains that lead nowhere by themselves while its links are closed', async () => {
    const host = 'links.example.com'
    const own = await linnet.api('POST', '/domains', { host }, await person.token())
    await linnet.db
      .updateTable('organization_custom_domains' as 'meta')
      .set({ verified_host: host } as never)
      .execute()
    const change = { root_url: 'https://example.com/' }
    const changed = await linnet.api(
      'PATCH',
      `/domains/${own.body.data.id}`,
      change,
      await person.token(),
    )
    expect(changed.status).toBe(200)
    const root = async () => (await linnet.visit('', { headers: { host } })).status
    expect(await root()).toBe(302)
    await suspend({ links_closed: true })
    expect(await root()).toBe(404)
    await suspend()
    expect(await root()).toBe(302)
  })

  it('is told of, with who suspended it', async () => {
    await suspend()
    await suspend({ links_closed: true })
    await suspend({ links_closed: true })
    await release()
    await linnet.settled()
    const entries = (await linnet.api('GET', '/audit-log?kind=account')).body.data
    expect(entries.map(({ changed }: { changed: unknown }) => changed)).toEqual([
      ['suspendedAt', 'linksClosed'],
      ['linksClosed'],
      ['suspendedAt'],
    ])
    expect(entries[0]).toMatchObject({ type: 'account.updated', by: 'session' })
  })

  it('is never that of the admin who suspends, nor the last admin', async () => {
    const own = `/admin/accounts/${linnet.account.id}/suspend`
    expect(await linnet.api('POST', own, {})).toMatchObject({
      status: 409,
      body: { code: 'own_account' },
    })
    const other = await aPerson(linnet, { isAdmin: true })
    const asOther = await other.session()
    const suspendOther = `/admin/accounts/${publicId('acc', other.account.id)}/suspend`
    const both = await Promise.all([
      linnet.api('POST', own, {}, asOther),
      linnet.api('POST', suspendOther, {}),
    ])
    // Whoever came second is signed out by then.
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    const admins = await linnet.db
      .selectFrom('accounts')
      .select('id')
      .where('is_admin', '=', 1)
      .where('suspended_at', 'is', null)
      .execute()
    expect(admins).toHaveLength(1)
  })
})

it('an account that moves to another plan keeps the links on its domains', async () => {
  const host = 'links.example.com'
  await linnet.api('POST', '/domains', { host }, await person.token())
  await linnet.db
    .updateTable('organization_custom_domains' as 'meta')
    .set({ verified_host: host } as never)
    .execute()
  const body = { original_url: 'https://example.com/', domain: host, short_code: 'spring' }
  expect((await linnet.api('POST', '/links', body, await person.token())).status).toBe(201)
  await linnet.api('PATCH', path, { plan: 'pro' })
  expect((await linnet.visit('spring', { headers: { host } })).status).toBe(302)
})
