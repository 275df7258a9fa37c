import { expect, test } from 'vitest'
import { createAccount, findAccount, findAccountByEmail } from '../../../core/accounts/accounts.ts'
import { matchesPassword } from '../../../core/lib/passwords.ts'
import { addAccount, openTestDb, stoppedClock } from './fixtures.ts'

const { now } = stoppedClock('2026-11-20T12:00:00.123Z')
const ada = {
  email: 'ada@example.org',
  password: 'analytical engine',
  fullName: 'Ada Lovelace',
  plan: 'pro',
  isAdmin: true,
} as const

test('an account is made as it was drafted, its password only as a hash', async () => {
  const db = await openTestDb()
  const account = await createAccount(db, ada, now)

  expect(account).toEqual({
    id: 1,
    email: 'ada@example.org',
    fullName: 'Ada Lovelace',
    avatarUrl: null,
    isAdmin: true,
    plan: 'pro',
    hasPassword: true,
    passwordMark: expect.stringMatching(/^[0-9a-f]{64}$/),
    emailVerifiedAt: null,
    suspendedAt: null,
    linksClosed: false,
    signedInAt: null,
    createdAt: now(),
    updatedAt: now(),
  })
  const row = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(ada.password)
  expect(await matchesPassword(ada.password, row.password_hash ?? '')).toBe(true)
})

test('an e-mail address belongs to one account', async () => {
  const db = await openTestDb()
  await addAccount(db, { email: 'ada@example.org' })
  expect(await createAccount(db, ada, now)).toMatchObject({
    code: 'email_taken',
    status: 409,
    field: 'email',
  })
})

test('an account is found by number, and by address in any case of letters', async () => {
  const db = await openTestDb()
  const account = await addAccount(db, { email: 'ada@example.org' })
  expect(await findAccount(db, account.id)).toEqual(account)
  expect(await findAccountByEmail(db, 'Ada@Example.ORG')).toEqual(account)
  expect(await findAccount(db, 99)).toBeUndefined()
  expect(await findAccountByEmail(db, 'bob@example.org')).toBeUndefined()
})
