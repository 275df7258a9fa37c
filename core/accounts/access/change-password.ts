import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Database } from '../../storage/database.ts'
import type { Account, SignedIn } from '../account.ts'
import { findAccount } from '../accounts.ts'
import { updateAccount } from './change-account.ts'
import type { ConfirmPassword } from './confirm-password.ts'

/** `current` is null for an account that has no password yet. */
export interface PasswordChange {
  readonly current: string | null
  readonly password: string
}

/**
 * Change the caller's own password, which ends all sessions of the account. Refused: what `confirm` says;
 * `session_required`, because a first password set with a token would outlive the token; `changed_meanwhile`;
 * `unauthenticated` if the account is gone.
 */
export async function changePassword(
  db: Database,
  caller: SignedIn,
  { current, password }: PasswordChange,
  { confirm, now }: { readonly confirm: ConfirmPassword; readonly now: () => Date },
): Promise<Account | Refusal> {
  const before = await findAccount(db, caller.accountId)
  if (!before) return gone
  const refused = await confirm(caller, current)
  if (refused) return refused
  if (!before.hasPassword && caller.credential !== 'session') return sessionRequired
  // Somebody who knew the old password must not undo a change that was made while it was being checked.
  const changed = await updateAccount(db, caller.accountId, { password }, now, ({ updatedAt }) =>
    updatedAt.getTime() === before.updatedAt.getTime() ? undefined : changedMeanwhile,
  )
  return changed ?? gone
}

const sessionRequired = refuse(
  'session_required',
  'Sign in to give this account its first password.',
  403,
)
const changedMeanwhile = refuse(
  'changed_meanwhile',
  'The account was changed at the same moment. Reload it and try again.',
  409,
)
/** The account was deleted while its request was under way. */
export const gone = refuse('unauthenticated', 'This account no longer exists.', 401)
