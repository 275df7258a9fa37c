import { matchesPassword, unmatchableHash } from '../../lib/passwords.ts'
import { publicId } from '../../lib/public-id.ts'
import { type CheckGuess, kinds } from '../../limits/guesses.ts'
import type { Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { PasswordRule } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Account } from '../account.ts'
import { readAccount } from '../accounts.ts'

export interface SignIn {
  /**
   * The account with this e-mail address and password; `client` is the key of the client that asks. Refused:
   * `invalid_credentials`, `too_many_requests`.
   */
  (email: string, password: string, client: string): Promise<Account | Refusal>
  /** How many wrong attempts a client has left with an e-mail address. */
  left(email: string, client: string): Promise<Verdict>
}

/**
 * Check e-mail addresses and passwords so that neither the answer nor the time it takes tells whether there is
 * such an account: without one, the password is still compared, with a hash that no password matches.
 */
export function createSignIn(db: Database, checkGuess: CheckGuess): SignIn {
  const nobodys = unmatchableHash()
  async function signIn(email: string, password: string, client: string) {
    const address = email.toLowerCase()
    const row = await db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', address)
      .executeTakeFirst()
    // Not shown as typed: it may be the password, typed into the wrong field.
    const guess = { of: address, by: client, shown: { client, of: row && publicId('acc', row.id) } }
    const isRight = await checkGuess(kinds.signIn, guess, () =>
      matchesPassword(password, row?.password_hash ?? nobodys),
    )
    if (isRefusal(isRight)) return isRight
    if (row && isRight) return readAccount(row)
    return refuse('invalid_credentials', 'The e-mail address or the password is wrong.', 401)
  }

  return Object.assign(signIn, {
    left: (email: string, client: string) =>
      checkGuess.left(kinds.signIn, { of: email.toLowerCase(), by: client }),
  })
}

/** Whether an account may sign in by password, by the rule of this instance. */
export function allowsPassword(rule: PasswordRule, isAdmin: boolean): boolean {
  return rule === 'everybody' || (rule === 'admins' && isAdmin)
}
