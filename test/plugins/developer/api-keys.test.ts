import { inject } from 'light-my-request'
import { describe, expect, onTestFinished, test } from 'vitest'
import { definePlugin, endpoint, z } from '../../../core/plugin.ts'
import apiKeys from '../../../plugins/developer/api-keys.ts'
import { boot, type Harness, type HarnessOptions } from '../../harness.ts'
import { hashPassword } from '../../inside.ts'

const moods = definePlugin({
  feature: 'acme.moods',
  about: 'Tells the mood of links.',
  scopes: ['moods:read', 'moods:write'],
  endpoints: {
    'GET /moods': endpoint({
      summary: 'Tell the mood',
      scope: 'moods:read',
      answer: z.strictObject({ data: z.string() }),
      handle: () => ({ data: 'glad' }),
    }),
  },
})

async function start(options: HarnessOptions = {}) {
  const linnet = await boot(apiKeys, options)
  onTestFinished(() => linnet.stop())
  const make = async (fields: object = {}) => {
    const body = { name: 'CI', scopes: ['links:write'], ...fields }
    return (await linnet.api('POST', '/api-tokens', body)).body.data
  }
  return { ...linnet, make, as: (token: string) => callAs(linnet, token) }
}

/** Call the API with a token and nothing else. */
function callAs({ app }: Harness, token: string) {
  return async (method: 'GET' | 'POST', path: string, payload?: object, headers?: object) => {
    const answer = await inject(app.server.handle, {
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
}

describe('a token', () => {
  test('shows whole when it is made, and never again', async () => {
    const { api, make } = await start()
    const made = await make({ expires_at: '2027-01-01T01:00:00+01:00' })
    expect(made).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'CI',
      token: expect.stringMatching(/^lnt_[\w-]{43}$/),
      tokenPrefix: made.token.slice(0, 10),
      scopes: ['links:write'],
      lastUsedAt: null,
      expiresAt: '2027-01-01T00:00:00.000Z',
      createdAt: '2026-11-20T12:00:00.000Z',
    })
    const { token, ...rest } = made
    const one = await api('GET', `/api-tokens/${made.id}`)
    const all = await api('GET', '/api-tokens')
    expect(one.body.data).toEqual(rest)
    expect(all.body.data).toEqual([rest])
    expect(JSON.stringify([one, all])).not.toContain(token)
  })

  test('opens the API within its scopes, until it is revoked', async () => {
    const { api, make, as } = await start()
    const { id, token } = await make()
    const call = as(token)
    const link = { original_url: 'https://example.com/' }
    expect(await call('POST', '/links', link)).toMatchObject({ status: 201 })
    expect(await call('GET', '/links')).toMatchObject({ status: 200 })
    expect(await call('GET', '/profile')).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredScope: 'profile:read' },
    })
    expect(await api('DELETE', `/api-tokens/${id}`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await call('GET', '/links')).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    })
  })

  test('is allowed what another plugin brings, and keeps that while the plugin is off', async () => {
    const linnet = await boot([apiKeys, moods])
    const draft = { name: 'Moods', scopes: ['moods:read'] }
    const { token, id } = (await linnet.api('POST', '/api-tokens', draft)).body.data
    expect(await callAs(linnet, token)('GET', '/moods')).toMatchObject({ status: 200 })
    expect(await callAs(linnet, token)('GET', '/links')).toMatchObject({ status: 403 })
    const { schemas } = (await linnet.api('GET', '/openapi.json')).body.components
    expect(schemas.ScopeInput.enum).toContain('moods:write')

    const without = await linnet.restart([apiKeys])
    onTestFinished(() => without.stop())
    const renamed = await without.api('PATCH', `/api-tokens/${id}`, { name: 'Old' })
    expect(renamed.body.data).toMatchObject({ name: 'Old', scopes: ['moods:read'] })
    expect(await without.api('POST', '/api-tokens', draft)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('moods:read is not a scope.') },
    })
  })

  test('has each scope once', async () => {
    const { api, make } = await start()
    const { id, scopes } = await make({ scopes: ['*', '*'] })
    expect(scopes).toEqual(['*'])
    const twice = { scopes: ['links:read', 'plugins:read', 'links:read'] }
    const { body } = await api('PATCH', `/api-tokens/${id}`, twice)
    expect(body.data.scopes).toEqual(['links:read', 'plugins:read'])
  })

  test('changes name, scopes and expiry date; what is absent stays', async () => {
    const { api, make } = await start()
    const { token: _, ...made } = await make()
    const change = async (fields: object) =>
      (await api('PATCH', `/api-tokens/${made.id}`, fields)).body.data
    expect(await change({ name: 'Deploy' })).toEqual({ ...made, name: 'Deploy' })
    expect(
      await change({ scopes: ['links:read'], expires_at: '2027-01-01T00:00:00Z' }),
    ).toMatchObject({ scopes: ['links:read'], expiresAt: '2027-01-01T00:00:00.000Z' })
    expect(await change({ expires_at: null })).toMatchObject({
      name: 'Deploy',
      scopes: ['links:read'],
      expiresAt: null,
    })
  })

  test('ends by itself', async () => {
    const { make, as, at } = await start()
    const { token } = await make({ scopes: ['*'], expires_at: '2026-11-20T13:00:00Z' })
    const call = as(token)
    expect(await call('GET', '/links')).toMatchObject({ status: 200 })
    at('2026-11-20T13:00:00Z')
    expect(await call('GET', '/links')).toMatchObject({ status: 401 })
  })

  test('makes no token that may do more', async () => {
    const { make, as } = await start()
    const { token } = await make({ scopes: ['api-tokens:write', 'links:read'] })
    const call = as(token)
    const draft = (scope: string) => ({ name: 'Copy', scopes: [scope] })
    expect(await call('POST', '/api-tokens', draft('links:read'))).toMatchObject({ status: 201 })
    for (const scope of ['links:write', 'profile:read', 'admin', '*']) {
      expect(await call('POST', '/api-tokens', draft(scope))).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', requiredScope: scope },
      })
    }
  })
})

describe.each([[['*']], [['links:read', '*']], [['admin']], [['links:read', 'admin']]])(
  'a token that allows %j',
  scopes => {
    const everything = { name: 'CI', scopes }
    const all = { name: 'CI', scopes: ['*'] }
    const passwordOf = async ({ db }: Pick<Harness, 'db'>) => {
      const password_hash = await hashPassword('analytical engine')
      await db.updateTable('accounts').set({ password_hash }).execute()
      return { current_password: 'analytical engine' }
    }

    test('is made by a session only with the current password', async () => {
      const { db, api, as } = await start()
      const password = await passwordOf({ db })
      for (const given of [{}, { current_password: null }, { current_password: 'a guess' }]) {
        expect(await api('POST', '/api-tokens', { ...everything, ...given })).toMatchObject({
          status: 422,
          body: { code: 'wrong_password' },
        })
      }
      const made = await api('POST', '/api-tokens', { ...everything, ...password })
      expect(made.status).toBe(201)
      expect(made.headers.ratelimit).toMatch(';r=9;')
      // A token is at work where nobody could type one.
      const { token } = (await api('POST', '/api-tokens', { ...all, ...password })).body.data
      const again = await as(token)('POST', '/api-tokens', everything)
      expect(again).toMatchObject({ status: 201 })
      expect(again.headers.ratelimit).toBeUndefined()
    })

    test('is tried by a session only with the current password, and guesses count', async () => {
      const { db, api } = await start()
      const password = await passwordOf({ db })
      const dry = (given: object) =>
        api('POST', '/api-tokens?dry_run=true', { ...everything, ...given })
      const refused = await dry({ current_password: 'a guess' })
      expect(refused).toMatchObject({ status: 422, body: { code: 'wrong_password' } })
      const again = await dry({ current_password: 'a guess' })
      expect(again.headers.ratelimit).not.toBe(refused.headers.ratelimit)
      const tried = await dry(password)
      expect([tried.status, tried.body.data.token]).toEqual([201, null])
      expect((await api('GET', '/api-tokens')).body.meta.total).toBe(0)
    })

    test('is not given to a session again that a token made', async () => {
      const { db, api, as } = await start()
      const password = await passwordOf({ db })
      const { token } = (await api('POST', '/api-tokens', { ...all, ...password })).body.data
      const key = { 'idempotency-key': 'deploy-1' }
      const made = await as(token)('POST', '/api-tokens', everything, key)
      expect(made.status).toBe(201)
      const again = await as(token)('POST', '/api-tokens', everything, key)
      expect(again.body).toEqual(made.body)
      const bySession = await api('POST', '/api-tokens', everything, key)
      expect([bySession.status, bySession.body.data]).not.toEqual([201, made.body.data])
      expect(bySession.body.code).toMatch(/^(idempotency_key_reused|wrong_password)$/)
    })

    test('does not come of one that allowed less', async () => {
      const { db, api, make } = await start()
      const { id } = await make()
      const { id: whole } = await make({ scopes })
      await passwordOf({ db })
      const widened = await api('PATCH', `/api-tokens/${id}`, { scopes })
      expect(widened).toMatchObject({
        status: 403,
        body: { code: 'password_required', errors: [{ field: 'scopes' }] },
      })
      const renamed = { name: 'Old', scopes }
      expect((await api('PATCH', `/api-tokens/${whole}`, renamed)).status).toBe(200)
    })
  },
)

describe('a token that was used', () => {
  test('says when, to the minute', async () => {
    const { api, make, as, at } = await start()
    const { id, token } = await make()
    const lastUsedAt = async () => (await api('GET', `/api-tokens/${id}`)).body.data.lastUsedAt
    const call = as(token)
    await call('GET', '/links')
    expect(await lastUsedAt()).toBe('2026-11-20T12:00:00.000Z')
    at('2026-11-20T12:00:59Z')
    await call('GET', '/links')
    expect(await lastUsedAt()).toBe('2026-11-20T12:00:00.000Z')
    at('2026-11-20T12:01:00Z')
    await call('GET', '/links')
    expect(await lastUsedAt()).toBe('2026-11-20T12:01:00.000Z')
  })
})

test('tokens are forgotten a month after they expired, and not before', async () => {
  const { api, make, at, run } = await start()
  await make({ name: 'short', expires_at: '2026-11-21T00:00:00Z' })
  await make({ name: 'for good' })
  const names = async () =>
    (await api('GET', '/api-tokens')).body.data.map(({ name }: { name: string }) => name)
  at('2026-12-21T00:00:00Z')
  await run('developer.apiKeys.forgetExpired')
  expect(await names()).toEqual(['for good', 'short'])
  at('2026-12-21T00:00:01Z')
  await run('developer.apiKeys.forgetExpired')
  expect(await names()).toEqual(['for good'])
})

test('tokens open nothing while API access is switched off for everybody', async () => {
  const { api, make, as } = await start()
  const { id, token } = await make({ scopes: ['*'] })
  const disabled = { status: 403, body: { code: 'feature_disabled' } }
  await api('PATCH', '/admin/features', { api_access_enabled: false })
  expect(await as(token)('GET', '/profile')).toMatchObject(disabled)
  expect(await api('POST', '/api-tokens', { name: 'CI', scopes: ['*'] })).toMatchObject(disabled)
  expect(await api('GET', `/api-tokens/${id}`)).toMatchObject({ status: 200 })
  await api('PATCH', '/admin/features', { api_access_enabled: true })
  expect(await as(token)('GET', '/profile')).toMatchObject({ status: 200 })
})

describe('the list', () => {
  test('comes in pages, newest first', async () => {
    const { api, make } = await start()
    for (const name of ['first', 'second', 'third']) await make({ name })
    const { body } = await api('GET', '/api-tokens?per_page=2')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['third', 'second'])
    expect(body.meta).toMatchObject({ total: 3, lastPage: 2 })
    expect(body.links.next).toBe(`/api/v1/api-tokens?cursor=${body.meta.nextCursor}&per_page=2`)
  })
})

test.each([
  [{}, ['name', 'scopes']],
  [{ name: ' ', scopes: [] }, ['name', 'scopes']],
  [{ name: 'CI', scopes: 'links:read' }, ['scopes']],
  [{ name: 'CI', scopes: ['links:everything'] }, ['scopes']],
  [{ name: 'CI', scopes: ['*'], expires_at: 'tomorrow' }, ['expires_at']],
  [{ name: 'CI', scopes: ['*'], expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
  [{ name: 'CI', scopes: ['*'], token: 'lnt_mine' }, ['token']],
])('%j is 422 in %j', async (body, fields) => {
  const { api } = await start()
  const answer = await api('POST', '/api-tokens', body)
  expect(answer.status).toBe(422)
  expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  expect((await api('GET', '/api-tokens')).body.meta.total).toBe(0)
})

test.each(['tok_', 'tok_xxxxxxxx', '1', 'acc_Gv8J65Sx'])('there is no token %s', async id => {
  const { api } = await start()
  expect(await api('GET', `/api-tokens/${id}`)).toMatchObject({ status: 404 })
  expect(await api('PATCH', `/api-tokens/${id}`, { name: 'x' })).toMatchObject({ status: 404 })
  expect(await api('DELETE', `/api-tokens/${id}`)).toMatchObject({ status: 404 })
})

test('a plan without API keys makes none, but its old ones can be looked at and revoked', async () => {
  const { api, make, db, as } = await start()
  const { id, token } = await make({ scopes: ['*'] })
  await db.updateTable('accounts').set({ plan: 'free' }).execute()
  const denied = { status: 403, body: { code: 'feature_not_in_plan' } }
  expect(await as(token)('GET', '/profile')).toMatchObject(denied)
  expect(await api('POST', '/api-tokens', { name: 'CI', scopes: ['*'] })).toMatchObject(denied)
  expect(await api('GET', '/api-tokens')).toMatchObject({ status: 200 })
  expect(await api('DELETE', `/api-tokens/${id}`)).toMatchObject({ status: 204 })
})

test('without the plugin there are no tokens, and the ones from before open nothing', async () => {
  const linnet = await start()
  const { token } = await linnet.make({ scopes: ['*'] })
  const without = await linnet.restart([])
  expect(await without.api('GET', '/api-tokens')).toMatchObject({ status: 404 })
  expect(await callAs(without, token)('GET', '/profile')).toMatchObject({
    status: 403,
    body: { code: 'feature_disabled' },
  })
  const again = await without.restart([apiKeys])
  expect(await callAs(again, token)('GET', '/profile')).toMatchObject({ status: 200 })
})
