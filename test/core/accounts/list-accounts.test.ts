import { expect, test } from 'vitest'
import { listAccounts } from '../../../core/accounts/list-accounts.ts'
import { noUsage } from '../../../core/accounts/usage.ts'
import { addAccount, openTestDb, stoppedClock } from './fixtures.ts'

test('a list gives a part of the accounts, oldest first, and how many there are', async () => {
  const db = await openTestDb()
  const { now } = stoppedClock()
  const accounts = [await addAccount(db), await addAccount(db), await addAccount(db)]
  const [first, second, third] = accounts.map(it => ({
    ...it,
    ...{ linksCount: 0, usage: noUsage, lastSeenAt: null },
  }))
  expect(await listAccounts(db, { offset: 0, limit: 2 }, { now })).toEqual({
    rows: [first, second],
    next: [second?.id],
    total: 3,
  })
  expect(await listAccounts(db, { offset: 2, limit: 2 }, { now })).toEqual({
    rows: [third],
    next: null,
    total: 3,
  })
})
