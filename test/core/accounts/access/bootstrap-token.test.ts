import { expect, test } from 'vitest'
import { ensureBootstrapToken } from '../../../../core/accounts/access/bootstrap-token.ts'
import { createCredentials } from '../../../../core/accounts/access/credentials.ts'
import {
  addAccount,
  callerOf,
  openTestDb,
  rememberingLog,
  stoppedClock,
  testEntitlements,
  testTokens,
} from '../fixtures.ts'

const { now } = stoppedClock()
const first = `lnt_${'a'.repeat(43)}`
const second = `lnt_${'b'.repeat(43)}`

async function anInstance() {
  const db = await openTestDb()
  const admin = await addAccount(db, { isAdmin: true })
  const { byToken } = createCredentials({
    db,
    entitlements: testEntitlements(),
    feature: 'developer.apiKeys',
    now,
    log: rememberingLog(),
  })
  return { db, admin, byToken, ensure: (t: string) => ensureBootstrapToken(db, admin.id, t, now) }
}

test('the bootstrap token allows its admin everything', async () => {
  const { admin, byToken, ensure } = await anInstance()
  await ensure(first)
  expect(await byToken(first)).toMatchObject({
    accountId: admin.id,
    isAdmin: true,
    scopes: ['*'],
  })
})

test('the same token again changes nothing, not even its id', async () => {
  const { db, ensure } = await anInstance()
  await ensure(first)
  const before = await db.selectFrom('api_tokens').selectAll().execute()
  await ensure(first)
  expect(await db.selectFrom('api_tokens').selectAll().execute()).toEqual(before)
})

test('another token takes the place of the one before and leaves other tokens alone', async () => {
  const { db, admin, byToken, ensure } = await anInstance()
  const draft = { name: 'CI', scopes: ['links:read'], expiresAt: null }
  const own = await testTokens(db, now).create(callerOf(admin), draft)
  await ensure(first)
  await ensure(second)
  expect(await byToken(first)).toMatchObject({ code: 'invalid_token' })
  expect(await byToken(second)).toMatchObject({ accountId: admin.id })
  expect(await byToken('token' in own ? own.token : '')).toMatchObject({ scopes: ['links:read'] })
})
