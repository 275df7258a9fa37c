import { createHook } from 'node:async_hooks'
import { afterAll, expect, test } from 'vitest'
import { createSignIn } from '../../../../core/accounts/access/sign-in.ts'
import { hashPassword } from '../../../../core/lib/passwords.ts'
import { addAccount, openTestDb, patientGuesses } from '../fixtures.ts'

const db = await openTestDb(afterAll)
const account = await addAccount(db, {
  email: 'ada@example.org',
  passwordHash: await hashPassword('analytical engine'),
})
await addAccount(db, { email: 'nopassword@example.org' })
const check = createSignIn(db, patientGuesses())
const signIn = (email: string, password: string) => check(email, password, '192.0.2.1')

test('the right password signs in, the address in any case of letters', async () => {
  expect(await signIn('Ada@Example.org', 'analytical engine')).toEqual(account)
})

test('the answer does not tell whether it was the address or the password', async () => {
  const wrong = await signIn('ada@example.org', 'difference engine')
  expect(wrong).toMatchObject({ kind: 'refuse', code: 'invalid_credentials', status: 401 })
  expect(await signIn('bob@example.org', 'analytical engine')).toEqual(wrong)
  expect(await signIn('nopassword@example.org', 'analytical engine')).toEqual(wrong)
  expect(await signIn('', '')).toEqual(wrong)
})

test('the work does not tell that either: one password is derived for every try', async () => {
  expect(await derivations(() => signIn('ada@example.org', 'analytical engine'))).toBe(1)
  expect(await derivations(() => signIn('ada@example.org', 'difference engine'))).toBe(1)
  expect(await derivations(() => signIn('bob@example.org', 'analytical engine'))).toBe(1)
  expect(await derivations(() => signIn('nopassword@example.org', 'analytical'))).toBe(1)
})

/** How often scrypt runs meanwhile, as Node itself sees it. */
async function derivations(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'SCRYPTREQUEST') count += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}
