import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { forgetKeys } from '../../../core/accounts/idempotency-keys.ts'
import { addAccount, openTestDb, stoppedClock, testTokens } from './fixtures.ts'

const { now } = stoppedClock()
const day = 86_400_000
const numbers = Array.from({ length: 1_000 }, (_, at) => at)

it('forgets keys of yesterday a few hundred at a time, and redirects in between', async () => {
  const db = await openTestDb()
  const { id } = await addAccount(db)
  const key = (name: string, ago: number) => {
    const at = now().getTime() - ago
    return { account_id: id, key: name, request: '', created_at: at, started_at: at }
  }
  const old = numbers.map(it => key(`old ${it}`, 2 * day))
  await db.insertInto('idempotency_keys').values(old).execute()
  await db
    .insertInto('idempotency_keys')
    .values([key('a', 0), key('z', 0)])
    .execute()
  expect(await turnsWhile(() => forgetKeys(db, now().getTime()))).toBeGreaterThanOrEqual(5)
  const left = await db.selectFrom('idempotency_keys').select('key').orderBy('key').execute()
  expect(left).toEqual([{ key: 'a' }, { key: 'z' }])
})

it('forgets tokens that ended long ago a few hundred at a time, and redirects in between', async () => {
  const db = await openTestDb()
  const { id } = await addAccount(db)
  const token = (name: string, endsAt: number | null) => ({
    ...{ account_id: id, name, token_hash: name, prefix: 'lnt_abcdef', scopes: '["links:read"]' },
    ...{ is_bootstrap: 0 as const, created_at: 0, expires_at: endsAt },
  })
  const old = numbers.map(it => token(`old ${it}`, now().getTime() - 2 * day))
  await db.insertInto('api_tokens').values(old).execute()
  await db
    .insertInto('api_tokens')
    .values([token('a', null)])
    .execute()
  const yesterday = new Date(now().getTime() - day)
  const { forgetExpired } = testTokens(db, now)
  expect(await turnsWhile(() => forgetExpired(yesterday))).toBeGreaterThanOrEqual(5)
  const left = await db.selectFrom('api_tokens').select('name').execute()
  expect(left).toEqual([{ name: 'a' }])
})

/** How many turns others have had until it is done. */
async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await setImmediate()
    turns += 1
  }
  await working
  return turns
}
