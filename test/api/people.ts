import type { Account } from '../../core/accounts/account.ts'
import { isRefusal } from '../../core/plugin.ts'
import { addAccount, callerOf } from '../core/accounts/add-account.ts'
import type { Harness, Headers } from '../harness.ts'
import { createTokens, findAccount, openSession, suspendAccount } from '../inside.ts'

const now = () => new Date('2026-11-20T12:00:00Z')
const yesterday = () => new Date('2026-11-19T12:00:00Z')
const anHourLater = new Date('2026-11-19T13:00:00Z')

/** A person with an account, and the headers that call the API in their name. */
export interface Person {
  readonly account: Account
  session(): Promise<Headers>
  token(scopes?: readonly string[]): Promise<Headers>
  expiredToken(): Promise<Headers>
  revokedToken(): Promise<Headers>
  /** A token of the account, which is suspended afterwards. */
  suspendedToken(): Promise<Headers>
  moveTo(plan: string): Promise<void>
}

/** No credentials: not even the session that the harness adds. */
export const nobody: Headers = { cookie: '' }

/** Creates an account at the time of the harness' clock. */
export async function aPerson(
  { db }: Harness,
  given: { readonly isAdmin?: boolean } = {},
): Promise<Person> {
  const account = await addAccount(db, given)

  async function make(scopes: readonly string[], at = now, expiresAt: Date | null = null) {
    const draft = { name: 'Test', scopes, expiresAt }
    // A test may have given it a password meanwhile.
    const known = (await findAccount(db, account.id)) ?? account
    const maker = callerOf(known, { isAdmin: true })
    const made = await tokensOf(db, scopes, at).create(maker, draft)
    if (isRefusal(made)) throw new Error(made.detail)
    return { id: made.id, headers: { ...nobody, authorization: `Bearer ${made.token}` } }
  }

  return {
    account,
    session: async () => ({ cookie: `__Host-linnet=${await openSession(db, account.id, now)}` }),
    token: async (scopes = ['*']) => (await make(scopes)).headers,
    expiredToken: async () => (await make(['*'], yesterday, anHourLater)).headers,
    async revokedToken() {
      const { id, headers } = await make(['*'])
      await tokensOf(db, [], now).revoke(callerOf(account), id)
      return headers
    },
    async suspendedToken() {
      const { headers } = await make(['*'])
      await suspendAccount(db, account.id, false, now)
      return headers
    },
    async moveTo(plan) {
      await db.updateTable('accounts').set({ plan }).where('id', '=', account.id).execute()
    },
  }
}

function tokensOf(db: Harness['db'], scopes: readonly string[], now: () => Date) {
  return createTokens({ db, now, scopes: () => scopes })
}
