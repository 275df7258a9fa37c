import { hash } from 'node:crypto'
import type { Account, SignedIn } from '../../../core/accounts/account.ts'
import type { Caller } from '../../../core/plugin.ts'
import type { Database } from '../../../core/storage/database.ts'

let accounts = 0

/** An account that no password opens, unless its hash is given: no test waits for one it does not need. */
export async function addAccount(
  db: Database,
  given: Partial<Pick<Account, 'email' | 'fullName' | 'plan' | 'isAdmin'>> & {
    readonly passwordHash?: string
  } = {},
): Promise<Account> {
  accounts += 1
  const { email = `person${accounts}@example.org`, fullName = null } = given
  const { plan = 'unlimited', isAdmin = false, passwordHash = null } = given
  const at = new Date('2026-11-20T12:00:00.000Z')
  const { id } = await db
    .insertInto('accounts')
    .values({
      email,
      full_name: fullName,
      password_hash: passwordHash,
      is_admin: isAdmin ? 1 : 0,
      plan,
      created_at: at.getTime(),
      updated_at: at.getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    ...{ id, email, fullName, avatarUrl: null, isAdmin, plan },
    hasPassword: passwordHash !== null,
    passwordMark: hash('sha256', passwordHash ?? ''),
    emailVerifiedAt: null,
    suspendedAt: null,
    linksClosed: false,
    signedInAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** That account, signed in to the dashboard unless said otherwise. */
export function callerOf(account: Account, given: Partial<Caller> = {}): SignedIn {
  return {
    account,
    accountId: account.id,
    isAdmin: account.isAdmin,
    scopes: ['*'],
    credential: 'session',
    ...given,
  }
}
