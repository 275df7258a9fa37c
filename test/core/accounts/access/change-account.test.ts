import { describe, expect, test } from 'vitest'
import { deleteAccount, updateAccount } from '../../../../core/accounts/access/change-account.ts'
import { openSession, readSession } from '../../../../core/accounts/access/sessions/sessions.ts'
import { createSignIn } from '../../../../core/accounts/access/sign-in.ts'
import { findAccount } from '../../../../core/accounts/accounts.ts'
import { isRefusal, refuse } from '../../../../core/plugin/outcomes.ts'
import {
  addAccount,
  callerOf,
  countLinks,
  minute,
  openTestDb,
  patientGuesses,
  stoppedClock,
  testTokens,
} from '../fixtures.ts'

const clock = stoppedClock()
const { now } = clock

test('what a change does not name stays as it is', async () => {
  const db = await openTestDb()
  const account = await addAccount(db, { fullName: 'Ada', plan: 'pro' })
  clock.advance(minute)
  expect(await updateAccount(db, account.id, { fullName: 'Ada Lovelace' }, now)).toEqual({
    ...account,
    fullName: 'Ada Lovelace',
    updatedAt: now(),
  })
  expect(await updateAccount(db, account.id, { fullName: null, plan: 'free' }, now)).toEqual({
    ...account,
    fullName: null,
    plan: 'free',
    updatedAt: now(),
  })
})

test('a change of nobody gives nothing', async () => {
  const db = await openTestDb()
  expect(await updateAccount(db, 7, { fullName: 'Nobody' }, now)).toBeUndefined()
  expect(await deleteAccount(db, 7, now)).toBe(false)
})

test('a new password takes the place of the old one and ends every session', async () => {
  const db = await openTestDb()
  const account = await addAccount(db)
  const bystander = await addAccount(db)
  const session = await openSession(db, account.id, now)
  const other = await openSession(db, bystander.id, now)

  await updateAccount(db, account.id, { password: 'analytical engine' }, now)

  const signIn = createSignIn(db, patientGuesses())
  expect(await signIn(account.email, 'analytical engine', '192.0.2.1')).toMatchObject({
    id: account.id,
  })
  expect(await readSession(db, session, now)).toBeUndefined()
  expect(await readSession(db, other, now)).toBeDefined()
})

test('an objection is heard before anything is changed', async () => {
  const db = await openTestDb()
  const account = await addAccount(db)
  const session = await openSession(db, account.id, now)
  const no = refuse('stale', 'Changed meanwhile.', 412)
  const change = { password: 'analytical engine' }
  expect(await updateAccount(db, account.id, change, now, () => no)).toEqual(no)
  expect(await deleteAccount(db, account.id, now, () => no)).toEqual(no)
  expect(await readSession(db, session, now)).toBeDefined()
})

describe('the last admin', () => {
  test('can neither step back nor be deleted', async () => {
    const db = await openTestDb()
    const admin = await addAccount(db, { isAdmin: true })
    await addAccount(db)
    const lastAdmin = { code: 'last_admin', status: 409 }
    expect(await updateAccount(db, admin.id, { isAdmin: false }, now)).toMatchObject(lastAdmin)
    expect(await deleteAccount(db, admin.id, now)).toMatchObject(lastAdmin)
    expect(await findAccount(db, admin.id)).toEqual(admin)
  })

  test('is still there when two admins leave at the same moment', async () => {
    const db = await openTestDb()
    const admins = [
      await addAccount(db, { isAdmin: true }),
      await addAccount(db, { isAdmin: true }),
    ] as const
    const answers = await Promise.all([
      deleteAccount(db, admins[0].id, now),
      updateAccount(db, admins[1].id, { isAdmin: false }, now),
    ])
    expect(answers.filter(isRefusal)).toHaveLength(1)
  })
})

test('a deleted account takes along all that it owns, and its codes stay taken', async () => {
  const db = await openTestDb()
  const account = await addAccount(db)
  const bystander = await addAccount(db)
  for (const { id } of [account, bystander]) await own(id)

  expect(await deleteAccount(db, account.id, now)).toBe(true)

  const tables = ['sessions', 'api_tokens', 'usage', 'links'] as const
  for (const table of tables) {
    const owners = await db.selectFrom(table).select('account_id').execute()
    expect([table, owners]).toEqual([table, [{ account_id: bystander.id }]])
  }
  const codes = db.selectFrom('short_codes').select(['code', 'account_id'])
  expect(await codes.orderBy('code').execute()).toEqual([
    { code: `code-${account.id}`, account_id: null },
    { code: `code-${bystander.id}`, account_id: bystander.id },
  ])

  async function own(id: number) {
    await openSession(db, id, now)
    const caller = callerOf({ ...account, id })
    await testTokens(db, now).create(caller, { name: 'CI', scopes: ['*'], expiresAt: null })
    await countLinks(db, id, 10, 1, now)
    const at = now().getTime()
    await db
      .insertInto('links')
      .values({
        account_id: id,
        domain: '',
        short_code: `code-${id}`,
        original_url: 'https://example.com/',
        archived: 0,
        fields: '{}',
        guarded_by: '[]',
        version: 1,
        created_at: at,
        updated_at: at,
      })
      .execute()
    await db
      .insertInto('short_codes')
      .values({ domain: '', code: `code-${id}`, account_id: id, created_at: at })
      .execute()
  }
})
