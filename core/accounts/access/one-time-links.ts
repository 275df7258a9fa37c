import { hashPassword } from '../../lib/passwords.ts'
import { type CheckGuess, guessBy, kinds } from '../../limits/guesses.ts'
import type { Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import type { Account, SignedIn } from '../account.ts'
import { refuseOwnWords } from '../account-fields.ts'
import { findAccount, readAccount } from '../accounts.ts'
import { digest, randomSecret } from '../digest.ts'
import { tellOfAccount } from '../tell-of-accounts.ts'
import { setPassword } from './change-account.ts'
import { holdCaller } from './hold-caller.ts'
import { suspended } from './suspend-account.ts'
import { deleteTokens } from './token-rows.ts'

const dayMs = 86_400_000

/** How long an invitation lasts, for somebody who may be on holiday. */
const invitationMs = 7 * dayMs

/** How long a link lasts if the account already has a password. */
const newPasswordMs = dayMs

/** A link that has not been used yet. */
export interface OneTimeLink {
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A new link. Its secret is shown only once: the database keeps a digest. */
export interface MadeLink extends OneTimeLink {
  readonly secret: string
}

/** Links that let their holder choose the password of an account, once. */
export interface OneTimeLinks {
  /**
   * Make a link for an account, which ends an earlier one. Undefined if there is no such account. Refused: if the admin is no
   * more.
   */
  make(accountId: number, by: SignedIn): Promise<MadeLink | Refusal | undefined>
  /** End the link of an account; false if none was waiting. */
  revoke(accountId: number): Promise<boolean>
  /** The unused links of these accounts, by account. */
  waiting(accountIds: readonly number[]): Promise<ReadonlyMap<number, OneTimeLink>>
  /** The account whose password can be chosen. Refused: `invalid_one_time_link`, `account_suspended`, `too_many_requests`. */
  open(secret: string, client: string): Promise<Account | Refusal>
  /**
   * Choose the password, which uses up the link. In place of an earlier password it ends all API tokens, too. Also refused: a password made of the own address and name.
   */
  use(secret: string, password: string, client: string): Promise<Account | Refusal>
  /** How many wrong secrets a client has left. */
  left(client: string): Promise<Verdict>
}

export function createOneTimeLinks({
  db,
  now,
  checkGuess,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly checkGuess: CheckGuess
}): OneTimeLinks {
  async function open(secret: string, client: string): Promise<Account | Refusal> {
    let found: Account | undefined
    const isRight = await checkGuess(kinds.oneTimeLink, guessBy(client), async () => {
      const row = await db
        .selectFrom('one_time_links')
        .innerJoin('accounts', 'accounts.id', 'one_time_links.account_id')
        .selectAll('accounts')
        .where('secret_hash', '=', digest(secret))
        .where('expires_at', '>', now().getTime())
        .executeTakeFirst()
      found = row && readAccount(row)
      return found !== undefined
    })
    if (isRefusal(isRight)) return isRight
    return found?.suspendedAt ? suspended : (found ?? invalidLink)
  }

  return {
    open,

    left: client => checkGuess.left(kinds.oneTimeLink, guessBy(client)),

    async make(accountId, by) {
      const account = await findAccount(db, accountId)
      if (!account) return undefined
      return inTransactionUnlessRefused<MadeLink>(
        db,
        async tx => (await holdCaller(tx, by)) ?? makeOneTimeLink(tx, account, now),
      )
    },

    async revoke(accountId) {
      const ended = await db
        .deleteFrom('one_time_links')
        .where('account_id', '=', accountId)
        .returning('expires_at')
        .executeTakeFirst()
      return ended !== undefined && ended.expires_at > now().getTime()
    },

    async waiting(accountIds) {
      const rows = await db
        .selectFrom('one_time_links')
        .selectAll()
        .where('account_id', 'in', [...accountIds])
        .where('expires_at', '>', now().getTime())
        .execute()
      return new Map(rows.map(row => [row.account_id, readLink(row)]))
    },

    async use(secret, password, client) {
      const account = await open(secret, client)
      if (isRefusal(account)) return account
      const refused = refuseOwnWords(password, account)
      if (refused) return refused
      const passwordHash = await hashPassword(password)
      return inTransactionUnlessRefused<Account>(db, async tx => {
        // Whoever deletes the row has used the link; anybody else at the same moment is too late.
        const mine = await takeLink(tx, digest(secret), now().getTime())
        if (mine === undefined) return invalidLink
        // Whoever needs a new password by an admin may need it because somebody else has the old one.
        if (account.hasPassword)
          await deleteTokens(tx, now(), all => all.where('account_id', '=', account.id))
        const after = await setPassword(tx, account.id, passwordHash, now)
        await tellOfAccount(tx, now(), account, after, ['password'])
        return after
      })
    },
  }
}

/** Make a link for an account, which ends an earlier one. */
export async function makeOneTimeLink(
  db: Database,
  { id, hasPassword }: Account,
  now: () => Date,
): Promise<MadeLink> {
  const at = now().getTime()
  const lasts = hasPassword ? newPasswordMs : invitationMs
  const secret = randomSecret()
  const row = { secret_hash: digest(secret), created_at: at, expires_at: at + lasts }
  await db
    .insertInto('one_time_links')
    .values({ account_id: id, ...row })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .execute()
  return { ...readLink(row), secret }
}

/** Where the dashboard reads a link. What follows a `#` reaches no server and no log. */
export function urlOfOneTimeLink(dashboardUrl: string, secret: string): string {
  return `${dashboardUrl}/dashboard/one-time-link#${secret}`
}

/** Delete the links that have expired. */
export async function forgetExpiredLinks(db: Database, now: () => Date): Promise<void> {
  await db.deleteFrom('one_time_links').where('expires_at', '<=', now().getTime()).execute()
}

/** Uses a link up, and returns its account; undefined if somebody else has, or if it is over. */
export async function takeLink(
  tx: Tx,
  secretHash: string,
  at: number,
): Promise<number | undefined> {
  const row = await tx
    .deleteFrom('one_time_links')
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', at)
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id
}

function readLink(row: { readonly created_at: number; readonly expires_at: number }): OneTimeLink {
  return { createdAt: new Date(row.created_at), expiresAt: new Date(row.expires_at) }
}

export const invalidLink = refuse(
  'invalid_one_time_link',
  'This link was used, revoked or replaced, or it has expired. Ask an admin for a new one.',
  403,
)
