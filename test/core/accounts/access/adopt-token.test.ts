import { hash } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { createCredentials } from '../../../../core/accounts/access/credentials.ts'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import type { AdoptedToken } from '../../../../core/plugin.ts'
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
const old = '5f0a6c1e-8f0d-4c1b-9f5e-0d4b7f6f3c55'
const key: AdoptedToken = {
  sha256: hash('sha256', old),
  name: 'Shlink: Website',
  scopes: ['links:write'],
  expiresAt: null,
}

async function anOwner(plan = 'unlimited') {
  const db = await openTestDb()
  const owner = callerOf(await addAccount(db, { plan }))
  const tokens = testTokens(db, now)
  const entitlements = testEntitlements()
  const given = { db, entitlements, feature: 'developer.apiKeys', now, log: rememberingLog() }
  return { db, owner, tokens, ...createCredentials(given) }
}

test('a key that another program made opens what its scopes say', async () => {
  const { owner, tokens, byToken } = await anOwner()
  const adopted = await tokens.adopt(owner.accountId, key)
  expect(adopted).toMatchObject({
    name: 'Shlink: Website',
    tokenPrefix: `sha256:${key.sha256.slice(0, 10)}`,
    scopes: ['links:write'],
    createdAt: now(),
    lastUsedAt: null,
  })
  expect(await byToken(old)).toMatchObject({
    accountId: owner.accountId,
    scopes: ['links:write'],
    credential: 'token',
  })
  // Its SHA-256, which stands in databases and backups, opens nothing.
  expect(await byToken(key.sha256)).toMatchObject({ code: 'invalid_token' })
})

test('it is listed and revoked like any token', async () => {
  const { owner, tokens, byToken } = await anOwner()
  const adopted = await tokens.adopt(owner.accountId, key)
  if (isRefusal(adopted)) throw new Error(adopted.detail)
  expect((await tokens.list(owner, { offset: 0, limit: 5 })).rows).toEqual([adopted])
  expect(await tokens.revoke(owner, adopted.id)).toBe(true)
  expect(await byToken(old)).toMatchObject({ code: 'invalid_token' })
})

test('the plan of its account decides at each use', async () => {
  const { owner, tokens, byToken } = await anOwner('free')
  await tokens.adopt(owner.accountId, key)
  expect(await byToken(old)).toMatchObject({ code: 'feature_not_in_plan' })
})

test('adopted again it is the token that there is, with what its owner has changed', async () => {
  const { owner, tokens } = await anOwner()
  const first = await tokens.adopt(owner.accountId, key)
  if (isRefusal(first)) throw new Error(first.detail)
  const changed = await tokens.update(owner, first.id, { scopes: ['links:read'] })
  const upper = { ...key, sha256: key.sha256.toUpperCase() }
  expect(await tokens.adopt(owner.accountId, upper)).toEqual(changed)
  expect((await tokens.list(owner, { offset: 0, limit: 5 })).total).toBe(1)
})

test('two that adopt it at once get the same token', async () => {
  const { owner, tokens } = await anOwner()
  const adopt = () => tokens.adopt(owner.accountId, key)
  const [one, other] = await Promise.all([adopt(), adopt()])
  expect(one).toEqual(other)
})

test('no account gets the key of another one', async () => {
  const { db, owner, tokens } = await anOwner()
  const other = await addAccount(db)
  await tokens.adopt(owner.accountId, key)
  expect(await tokens.adopt(other.id, key)).toMatchObject({ code: 'key_taken', status: 409 })
})

test('an account that does not exist is refused', async () => {
  const { tokens } = await anOwner()
  expect(await tokens.adopt(999, key)).toMatchObject({ code: 'not_found', status: 404 })
})

describe('a key', () => {
  it.each<[string, Partial<AdoptedToken>, string]>([
    ['whose SHA-256 is too short', { sha256: 'ab12' }, 'sha256'],
    ['whose SHA-256 has other characters', { sha256: 'g'.repeat(64) }, 'sha256'],
    ['without a name', { name: ' ' }, 'name'],
    ['with a name of two lines', { name: 'Shlink\nWebsite' }, 'name'],
    ['without scopes', { scopes: [] }, 'scopes'],
    ['with an unknown scope', { scopes: ['links:steal'] }, 'scopes'],
    ['for everything', { scopes: ['links:read', '*'] }, 'scopes'],
    ['for what admins do', { scopes: ['admin'] }, 'scopes'],
    ['that is expired', { expiresAt: now() }, 'expiresAt'],
  ])('%s is refused', async (_, wrong, field) => {
    const { db, owner, tokens } = await anOwner()
    expect(await tokens.adopt(owner.accountId, { ...key, ...wrong })).toMatchObject({
      code: 'validation_failed',
      field,
    })
    expect(await db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
  })
})
