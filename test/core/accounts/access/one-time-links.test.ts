import { expect, it } from 'vitest'
import { createOneTimeLinks } from '../../../../core/accounts/access/one-time-links.ts'
import { isRefusal } from '../../../../core/plugin.ts'
import { callerOf } from '../add-account.ts'
import { addAccount, day, openTestDb, stoppedClock } from '../fixtures.ts'

it('a one-time link that expires while the password is hashed sets none', async () => {
  const db = await openTestDb()
  const account = await addAccount(db)
  const clock = stoppedClock('2026-11-20T12:00:00.000Z')
  const check = async (_kind: unknown, _guess: unknown, isRight: () => Promise<boolean>) => {
    const right = await isRight()
    clock.advance(8 * day)
    return right
  }
  const left = () => Promise.reject(new Error('not asked'))
  const links = createOneTimeLinks({
    db,
    now: clock.now,
    checkGuess: Object.assign(check, { left }),
  })
  const made = await links.make(account.id, callerOf(account))
  if (!made || isRefusal(made)) throw new Error('No link was made.')
  const used = await links.use(made.secret, 'four random words', 'somebody')
  expect(used).toMatchObject({ code: 'invalid_one_time_link' })
  const after = await db.selectFrom('accounts').select('password_hash').executeTakeFirstOrThrow()
  expect(after.password_hash).toBeNull()
})
