import { type Refusal, refuse } from '../outcomes.ts'
import { matchesPassword } from '../passwords.ts'
import type { Database } from '../storage/database.ts'
import type { Account, SignedIn } from './account.ts'

import { updateAccount } from './change-account.ts'

/** `current` is null for an account that has no password yet. */
export interface PasswordChange {
  readonly current: string | null
  readonly password: string
}

/**
 * Change the caller's own password, which ends all sessions of the account. Refused: `wrong_password`;
 * `session_required`, for by a token an account could get its first password, which would outlive the
 * token; `changed_meanwhile`; `unauthenticated` when the account is gone.
 */
export async function changePassword(
  db: Database,
  caller: SignedIn,
  { current, password }: PasswordChange,
  now: () => Date,
): Promise<Account | Refusal> {
  const row = await db
    .selectFrom('accounts')
    .select(['password_hash', 'updated_at'])
    .where('id', '=', caller.accountId)
    .executeTakeFirst()
  if (!row) return gone
  const refused =
    row.password_hash === null
      ? refuseFirst(caller, current)
      : await refuseCurrent(row.password_hash, current)
  if (refused) return refused
  // Whoever knew the old password must not undo a change that was made while it was checked.
  const changed = await updateAccount(db, caller.accountId, { password }, now, ({ updatedAt }) =>
    updatedAt.getTime() === row.updated_at ? undefined : changedMeanwhile,
  )
  return changed ?? gone
}

async function refuseCurrent(hash: string, current: string | null): Promise<Refusal | undefined> {
  if (current !== null && (await matchesPassword(current, hash))) return undefined
  return refuse('wrong_password', 'This is not your present password.', 422, 'currentPassword')
}

function refuseFirst({ credential }: SignedIn, current: string | null): Refusal | undefined {
  if (current !== null) {
    const detail = 'This account has no password yet: leave the present one out.'
    return refuse('wrong_password', detail, 422, 'currentPassword')
  }
  if (credential === 'session') return undefined
  return refuse('session_required', 'Sign in to give this account its first password.', 403)
}

const changedMeanwhile = refuse(
  'changed_meanwhile',
  'The account was changed at this very moment. Look at it and try again.',
  409,
)
const gone = refuse('unauthenticated', 'This account does not exist any more.', 401)
