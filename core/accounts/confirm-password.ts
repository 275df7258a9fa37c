import { type CheckGuess, kinds } from '../guesses.ts'
import { isRefusal, type Refusal, refuse } from '../outcomes.ts'
import { matchesPassword } from '../passwords.ts'
import type { Caller } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import { publicId } from '../storage/public-id.ts'

/**
 * See whether the caller knows the current password of their account; null where it has none. Refused:
 * `wrong_password`, `too_many_requests`.
 */
export type ConfirmPassword = (
  caller: Pick<Caller, 'accountId'>,
  current: string | null,
) => Promise<Refusal | undefined>

/** Guesses count for the account, wherever they come from: who makes them has got in already. */
export function createConfirmPassword(db: Database, checkGuess: CheckGuess): ConfirmPassword {
  return async ({ accountId }, current) => {
    const row = await db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', accountId)
      .executeTakeFirst()
    const hash = row?.password_hash
    if (typeof hash !== 'string') return current === null ? undefined : noneYet
    if (current === null) return missing
    const of = publicId('acc', accountId)
    const isRight = await checkGuess(kinds.ownPassword, { of, by: of, shown: { of } }, () =>
      matchesPassword(current, hash),
    )
    if (isRefusal(isRight)) return isRight
    return isRight ? undefined : wrong
  }
}

const refuseCurrent = (detail: string) => refuse('wrong_password', detail, 422, 'currentPassword')
const missing = refuseCurrent('Also send your current password, as current_password.')
const wrong = refuseCurrent('This is not your current password.')
const noneYet = refuseCurrent('This account has no password yet: leave the present one out.')
