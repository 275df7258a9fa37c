import { type Refusal, refuse } from '../outcomes.ts'
import { matchesPassword, unmatchableHash } from '../passwords.ts'
import type { Database } from '../storage/database.ts'
import type { Account } from './account.ts'
import { readAccount } from './accounts.ts'

/** Whose e-mail address and password these are. Refused: `invalid_credentials`. */
export type SignIn = (email: string, password: string) => Promise<Account | Refusal>

/**
 * Check e-mail addresses and passwords so that neither the answer nor the time it takes tells whether
 * there is such an account: without one, the password is compared all the same, with one nobody has.
 */
export function createSignIn(db: Database): SignIn {
  const nobodys = unmatchableHash()
  return async (email, password) => {
    const row = await db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst()
    const isRight = await matchesPassword(password, row?.password_hash ?? nobodys)
    if (row && isRight) return readAccount(row)
    return refuse('invalid_credentials', 'The e-mail address or the password is wrong.', 401)
  }
}
