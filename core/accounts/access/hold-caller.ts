import { readPublicId } from '../../lib/public-id.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import type { Account, SignedIn } from '../account.ts'
import { findAccount, readAccount } from '../accounts.ts'
import { type Methods, openSession, rowOfSession } from './sessions/sessions.ts'

/**
 * Holds a caller for the transaction that grants something by what was checked before, which may have taken long. Refused:
 * `unauthenticated` if the token or session was ended meanwhile, and `changed_meanwhile` if the account has another password
 * or role, or is suspended.
 */
export async function holdCaller(tx: Tx, caller: SignedIn): Promise<Refusal | undefined> {
  if (!(await holdAccount(tx, caller.account))) return changedMeanwhile
  return (await holdCredential(tx, caller)) ? undefined : gone
}

/** Whether an admin still is one, and has not been signed out meanwhile. */
export async function isStillAdmin(db: Database, caller: SignedIn): Promise<boolean> {
  const account = await findAccount(db, caller.accountId)
  const isOne = account?.isAdmin === true && !account.suspendedAt
  return isOne && db.transaction().execute(tx => holdCredential(tx, caller))
}

/** What a grant depends on. Of all else, such as the name, somebody may change much to keep the owner out. */
type Held = Pick<Account, 'id' | 'isAdmin' | 'passwordMark'>

/** In databases that lock rows, a write that changes nothing has others wait who change the account. */
async function holdAccount(tx: Tx, held: Held): Promise<boolean> {
  const row = await tx
    .updateTable('accounts')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', held.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) return false
  const { isAdmin, passwordMark, suspendedAt } = readAccount(row)
  return !suspendedAt && isAdmin === held.isAdmin && passwordMark === held.passwordMark
}

async function holdCredential(
  tx: Tx,
  { credential, credentialId, accountId }: SignedIn,
): Promise<boolean> {
  // Whoever acts for an account on the server has none.
  if (credentialId === undefined) return true
  if (credential === 'session')
    return (await rowOfSession(tx, accountId, credentialId)) !== undefined
  const { numUpdatedRows } = await tx
    .updateTable('api_tokens')
    .set({ account_id: accountId })
    .where('id', '=', readPublicId('tok', credentialId) ?? 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Opens a session for an account that is still as it was when its owner was proven, and returns its id. Refused:
 * `changed_meanwhile`, because a new password ends all sessions.
 */
export async function openSessionOf(
  db: Database,
  account: Held,
  now: () => Date,
  methods?: Methods,
  provenAt?: Date,
): Promise<string | Refusal> {
  return inTransactionUnlessRefused<string>(db, async tx => {
    if (!(await holdAccount(tx, account))) return changedMeanwhile
    return openSession(tx, account.id, now, methods, provenAt)
  })
}

export const changedMeanwhile = refuse(
  'changed_meanwhile',
  'The account was changed at the same moment. Reload it and try again.',
  409,
)
/** The account was deleted while its request was under way. */
export const gone = refuse('unauthenticated', 'This account no longer exists.', 401)
