import { describe, expect, test } from 'vitest'
import { updateAccount } from '../../../../core/accounts/access/change-account.ts'
import { createCredentials } from '../../../../core/accounts/access/credentials.ts'
import { openSession, sessionId } from '../../../../core/accounts/access/sessions/sessions.ts'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import type { Entitlements } from '../../../../core/settings/entitlements.ts'
import { failWrites } from '../../../fail-writes.ts'
import {
  addAccount,
  callerOf,
  minute,
  openTestDb,
  rememberingLog,
  stoppedClock,
  testEntitlements,
  testTokens,
} from '../fixtures.ts'

async function anInstance(entitlements: Entitlements = testEntitlements()) {
  const db = await openTestDb()
  const clock = stoppedClock()
  const { now } = clock
  const log = rememberingLog()
  const account = await addAccount(db, { isAdmin: true })
  const tokens = testTokens(db, now)
  const made = await tokens.create(callerOf(account), {
    name: 'CI',
    scopes: ['links:read'],
    expiresAt: new Date('2026-11-21T00:00:00.000Z'),
  })
  if (isRefusal(made)) throw new Error(made.detail)
  const lastUsedAt = async () => (await tokens.find(callerOf(account), made.id))?.lastUsedAt
  const credentials = createCredentials({
    db,
    entitlements,
    feature: 'developer.apiKeys',
    now,
    log,
  })
  return { db, clock, log, account, tokens, made, lastUsedAt, ...credentials }
}

const invalid = { kind: 'refuse', code: 'invalid_token', status: 401 }

describe('a token', () => {
  test('acts for its account, within its scopes', async () => {
    const { byToken, made, account } = await anInstance()
    expect(await byToken(made.token)).toEqual({
      account,
      accountId: account.id,
      isAdmin: true,
      scopes: ['links:read'],
      credential: 'token',
      credentialId: made.id,
      expiresAt: new Date('2026-11-21T00:00:00.000Z'),
    })
  })

  test('is answered for itself, also with others at the same moment', async () => {
    const { byToken, made, tokens, account, db } = await anInstance()
    const other = await addAccount(db, {})
    const draft = { name: 'Other', scopes: ['links:read'], expiresAt: null }
    const others = await tokens.create(callerOf(other), draft)
    if (isRefusal(others)) throw new Error(others.detail)
    const asked = [made.token, 'lnt_', others.token, made.token, 'lnt_other', others.token]
    const acting = await Promise.all(asked.map(byToken))
    expect(acting.map(it => (isRefusal(it) ? it.code : it.accountId))).toEqual([
      account.id,
      'invalid_token',
      other.id,
      account.id,
      'invalid_token',
      other.id,
    ])
    const looking = byToken(others.token)
    await tokens.revoke(callerOf(other), others.id)
    await looking
    expect(await Promise.all([byToken(made.token), byToken(others.token)])).toMatchObject([
      { accountId: account.id },
      invalid,
    ])
  })

  test('that nobody made opens nothing', async () => {
    const { byToken, made } = await anInstance()
    for (const text of ['', 'lnt_', made.token.slice(0, -1), `${made.token}a`, made.tokenPrefix]) {
      expect(await byToken(text)).toMatchObject(invalid)
    }
  })

  test('is over at the moment it expires', async () => {
    const { byToken, made, clock } = await anInstance()
    clock.set('2026-11-20T23:59:59.999Z')
    expect(await byToken(made.token)).toMatchObject({ credential: 'token' })
    clock.set('2026-11-21T00:00:00.000Z')
    expect(await byToken(made.token)).toMatchObject(invalid)
  })

  test('is over as soon as it is revoked', async () => {
    const { byToken, made, tokens, account } = await anInstance()
    await tokens.revoke(callerOf(account), made.id)
    expect(await byToken(made.token)).toMatchObject(invalid)
  })

  test('has the power its account has now', async () => {
    const { byToken, made, db, account, clock } = await anInstance()
    await addAccount(db, { isAdmin: true })
    await updateAccount(db, account.id, { isAdmin: false }, clock.now)
    expect(await byToken(made.token)).toMatchObject({ isAdmin: false })
  })

  test('needs a plan with API keys', async () => {
    const { byToken, made, db, account, clock } = await anInstance()
    await updateAccount(db, account.id, { plan: 'free' }, clock.now)
    expect(await byToken(made.token)).toMatchObject({ code: 'feature_not_in_plan', status: 403 })
  })

  test('needs access to the API to be on for everybody', async () => {
    const entitlements = testEntitlements()
    const { byToken, made } = await anInstance(entitlements)
    await entitlements.updateFeatures({ apiAccessEnabled: false })
    expect(await byToken(made.token)).toMatchObject({ code: 'feature_disabled', status: 403 })
  })

  test('needs the plugin for API keys', async () => {
    const { byToken, made } = await anInstance(testEntitlements({ installed: new Map() }))
    expect(await byToken(made.token)).toMatchObject({ code: 'feature_disabled', status: 403 })
  })

  test('remembers when it was last used, to the minute', async () => {
    const { byToken, made, clock, lastUsedAt } = await anInstance()
    const start = clock.now()
    await byToken(made.token)
    await expect.poll(lastUsedAt).toEqual(start)
    clock.advance(minute - 1)
    await byToken(made.token)
    expect(await lastUsedAt()).toEqual(start)
    clock.advance(1)
    await byToken(made.token)
    await expect.poll(lastUsedAt).toEqual(clock.now())
  })
})

describe('a session', () => {
  test('acts for its account, without limits of scope', async () => {
    const { bySession, db, account, clock } = await anInstance()
    const session = await openSession(db, account.id, clock.now)
    expect(await bySession(session)).toEqual({
      account: { ...account, signedInAt: clock.now() },
      accountId: account.id,
      isAdmin: true,
      scopes: ['*'],
      credential: 'session',
      credentialId: sessionId(session),
      authenticatedAt: clock.now(),
      methods: ['pwd'],
    })
    expect(await bySession('nothing')).toBeUndefined()
  })

  test('stays open as long as it is used', async () => {
    const { bySession, db, account, clock } = await anInstance()
    const session = await openSession(db, account.id, clock.now)
    const seenAt = async () =>
      (await db.selectFrom('sessions').select('seen_at').executeTakeFirstOrThrow()).seen_at
    for (let days = 0; days < 28; days += 4) {
      clock.advance(4 * 24 * 60 * minute)
      expect(await bySession(session)).toBeDefined()
      await expect.poll(seenAt).toBe(clock.now().getTime())
    }
  })
})

test('a disk that takes no more notes is logged and turns nobody away', async () => {
  const { bySession, byToken, made, db, account, clock, log } = await anInstance()
  const session = await openSession(db, account.id, clock.now)
  clock.advance(minute)
  for (const table of ['sessions', 'api_tokens'] as const) await refuseUpdates(table)

  expect(await byToken(made.token)).toMatchObject({ credential: 'token' })
  expect(await bySession(session)).toMatchObject({ credential: 'session' })
  await expect
    .poll(() => log.warnings)
    .toEqual([
      'The last use of a session or token could not be saved',
      'The last use of a session or token could not be saved',
    ])

  async function refuseUpdates(table: string) {
    await failWrites(db, 'update', table)
  }
})
