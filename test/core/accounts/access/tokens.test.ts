import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import { addAccount, callerOf, openTestDb, stoppedClock, testTokens } from '../fixtures.ts'

const { now } = stoppedClock()
const later = new Date('2027-01-01T00:00:00.000Z')

async function aMaker() {
  const db = await openTestDb()
  const maker = callerOf(await addAccount(db))
  const tokens = testTokens(db, now)
  const make = async (scopes: readonly string[] = ['links:read'], name = 'CI') => {
    const made = await tokens.create(maker, { name, scopes, expiresAt: null })
    if (isRefusal(made)) throw new Error(made.detail)
    return made
  }
  return { db, maker, tokens, make }
}

test('a token that is only tried opens nothing, and is nowhere in the database', async () => {
  const { db, maker, tokens, make } = await aMaker()
  const draft = { name: 'CI', scopes: ['links:read'], expiresAt: null }
  expect(await tokens.create(maker, draft, null, true)).toMatchObject({ name: 'CI' })
  expect(await db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
  await make()
  expect(await db.selectFrom('api_tokens').selectAll().execute()).toHaveLength(1)
})

test('an account has 1,000 tokens at most, and another one when one of them is deleted', async () => {
  const { db, maker, tokens, make } = await aMaker()
  await make()
  const { id: _, ...row } = await db.selectFrom('api_tokens').selectAll().executeTakeFirstOrThrow()
  const many = Array.from({ length: 999 }, (_, at) => ({ ...row, token_hash: `${at}` }))
  for (let at = 0; at < many.length; at += 333)
    await db
      .insertInto('api_tokens')
      .values(many.slice(at, at + 333))
      .execute()
  const draft = { name: 'CI', scopes: ['links:read'], expiresAt: null }
  expect(await tokens.create(maker, draft)).toMatchObject({
    code: 'limit_reached',
    details: { limit: 1_000, used: 1_000 },
  })
  const { rows } = await tokens.list(maker, { limit: 1, offset: 0 })
  await tokens.revoke(maker, rows[0]?.id ?? '')
  expect(isRefusal(await tokens.create(maker, draft))).toBe(false)
})

test('the whole token shows once, and is nowhere in the database', async () => {
  const { db, maker, tokens, make } = await aMaker()
  const { token, ...shown } = await make()
  expect(token).toMatch(/^lnt_[\w-]{43}$/)
  expect(shown).toEqual({
    id: expect.stringMatching(/^tok_\w{8,}$/),
    name: 'CI',
    tokenPrefix: token.slice(0, 10),
    scopes: ['links:read'],
    lastUsedAt: null,
    expiresAt: null,
    createdAt: now(),
  })
  expect(await tokens.find(maker, shown.id)).toEqual(shown)
  expect(JSON.stringify(await db.selectFrom('api_tokens').selectAll().execute())).not.toContain(
    token,
  )
})

test('two tokens are never the same', async () => {
  const { make } = await aMaker()
  expect((await make()).token).not.toBe((await make()).token)
})

test('a list gives a part of the tokens, newest first', async () => {
  const { maker, tokens, make } = await aMaker()
  for (const name of ['first', 'second', 'third']) await make(['*'], name)
  const { rows, total } = await tokens.list(maker, { offset: 1, limit: 5 })
  expect([rows.map(({ name }) => name), total]).toEqual([['second', 'first'], 3])
})

test('a token expires in the future or never', async () => {
  const { maker, tokens } = await aMaker()
  const draft = { name: 'CI', scopes: ['*'] }
  expect(await tokens.create(maker, { ...draft, expiresAt: later })).toMatchObject({
    expiresAt: later,
  })
  expect(await tokens.create(maker, { ...draft, expiresAt: now() })).toMatchObject({
    code: 'validation_failed',
    field: 'expiresAt',
  })
})

test('a change keeps what it does not name', async () => {
  const { maker, tokens, make } = await aMaker()
  const { token: _, ...made } = await make()
  expect(await tokens.update(maker, made.id, { name: 'Deploy' })).toEqual({
    ...made,
    name: 'Deploy',
  })
  expect(await tokens.update(maker, made.id, { expiresAt: later, scopes: ['*'] })).toEqual({
    ...made,
    name: 'Deploy',
    expiresAt: later,
    scopes: ['*'],
  })
  expect(await tokens.update(maker, made.id, { expiresAt: null })).toMatchObject({
    expiresAt: null,
  })
})

test('a revoked token is gone', async () => {
  const { maker, tokens, make } = await aMaker()
  const { id } = await make()
  expect(await tokens.revoke(maker, id)).toBe(true)
  expect(await tokens.find(maker, id)).toBeUndefined()
  expect(await tokens.revoke(maker, id)).toBe(false)
})

test('a token that is widened while it is revoked is revoked as it was, or stays', async () => {
  const { db, maker, tokens, make } = await aMaker()
  const weak = { ...maker, scopes: ['api-tokens:write', 'links:read'] }
  const { id } = await make(['links:read'])
  const widen = () =>
    db.updateTable('api_tokens').set({ scopes: '["*"]' }).executeTakeFirstOrThrow()
  const [revoked, { numUpdatedRows }] = await Promise.all([tokens.revoke(weak, id), widen()])
  expect(revoked === true).toBe(numUpdatedRows === 0n)
  expect((await tokens.find(maker, id)) === undefined).toBe(revoked === true)
})

describe('a maker with few scopes', () => {
  test('makes no token with more', async () => {
    const { db, maker, tokens } = await aMaker()
    const weak = { ...maker, scopes: ['api-tokens:write', 'links:read'] }
    expect(
      await tokens.create(weak, { name: 'CI', scopes: ['links:write'], expiresAt: null }),
    ).toMatchObject({ code: 'insufficient_scope', status: 403 })
    expect(await db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
  })

  test('neither widens a token nor prolongs one that has more', async () => {
    const { maker, tokens, make } = await aMaker()
    const weak = { ...maker, scopes: ['api-tokens:write', 'links:read'] }
    const equal = await make(['links:read'])
    const strong = await make(['*'])
    const insufficient = { code: 'insufficient_scope' }
    expect(await tokens.update(weak, equal.id, { scopes: ['*'] })).toMatchObject(insufficient)
    expect(await tokens.update(weak, strong.id, { expiresAt: later })).toMatchObject(insufficient)
    expect(await tokens.update(weak, equal.id, { expiresAt: later })).toMatchObject({
      expiresAt: later,
    })
  })

  test('neither changes nor revokes a token that allows more', async () => {
    const { maker, tokens, make } = await aMaker()
    const weak = { ...maker, scopes: ['api-tokens:write'] }
    const { id } = await make(['*'])
    const insufficient = { code: 'insufficient_scope', details: { requiredScope: '*' } }
    expect(await tokens.update(weak, id, { scopes: ['api-tokens:write'] })).toMatchObject(
      insufficient,
    )
    expect(await tokens.revoke(weak, id)).toMatchObject(insufficient)
    expect(await tokens.find(maker, id)).toMatchObject({ scopes: ['*'] })
    const { id: own } = await make(['api-tokens:write'])
    expect(await tokens.revoke(weak, own)).toBe(true)
  })
})

describe('a maker that is a token with an end', () => {
  const soon = new Date('2026-11-20T13:00:00.000Z')
  const draft = { name: 'CI', scopes: ['links:read'] }

  test('makes none that outlives it', async () => {
    const { db, maker, tokens } = await aMaker()
    const short = { ...maker, credential: 'token' as const, expiresAt: soon }
    for (const expiresAt of [null, later]) {
      expect(await tokens.create(short, { ...draft, expiresAt })).toMatchObject({
        code: 'validation_failed',
        field: 'expiresAt',
        detail:
          'Your own token expires at 2026-11-20T13:00:00.000Z, and this one must not expire later.',
      })
    }
    expect(await db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
    expect(await tokens.create(short, { ...draft, expiresAt: soon })).toMatchObject({
      expiresAt: soon,
    })
  })

  test('prolongs none past it, not even itself, and puts nothing into one that lasts', async () => {
    const { maker, tokens, make } = await aMaker()
    const short = { ...maker, credential: 'token' as const, expiresAt: soon }
    const { id } = await make(['links:read'])
    for (const change of [{ expiresAt: null }, { expiresAt: later }, { scopes: ['*'] }]) {
      expect(await tokens.update(short, id, change)).toMatchObject({ field: 'expiresAt' })
    }
    expect(await tokens.update(short, id, { expiresAt: soon })).toMatchObject({ expiresAt: soon })
    expect(await tokens.update(short, id, { expiresAt: null })).toMatchObject({
      field: 'expiresAt',
    })
  })
})

test('an admin who stepped back can still revoke a token for admins', async () => {
  const { maker, tokens, make } = await aMaker()
  const { id } = await make(['links:read'])
  await tokens.update({ ...maker, isAdmin: true }, id, { scopes: ['admin'] })
  expect(await tokens.revoke({ ...maker, isAdmin: false }, id)).toBe(true)
})

test("other people's tokens are as good as none", async () => {
  const { db, tokens, make } = await aMaker()
  const { id } = await make()
  const stranger = callerOf(await addAccount(db, { isAdmin: true }))
  expect(await tokens.find(stranger, id)).toBeUndefined()
  expect(await tokens.update(stranger, id, { name: 'Mine' })).toBeUndefined()
  expect(await tokens.revoke(stranger, id)).toBe(false)
  expect(await tokens.list(stranger, { offset: 0, limit: 10 })).toEqual({
    rows: [],
    next: null,
    total: 0,
  })
})

test('text that is no id of a token finds nothing', async () => {
  const { maker, tokens, make } = await aMaker()
  const { id } = await make()
  for (const text of ['', '1', 'tok_', 'tok_1', id.replace('tok', 'lnk'), `${id}x`]) {
    expect(await tokens.find(maker, text)).toBeUndefined()
  }
})
