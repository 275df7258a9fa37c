import { matchesPassword } from '../../lib/passwords.ts'
import { publicId } from '../../lib/public-id.ts'
import { type CheckGuess, type Guess, kinds } from '../../limits/guesses.ts'
import type { Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Caller } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'

type Who = Pick<Caller, 'accountId'>

export interface ConfirmPassword {
  /**
   * Check that the caller knows the current password of their account, which is null if it has none. Refused:
   * `wrong_password`, `too_many_requests`.
   */
  (caller: Who, current: string | null): Promise<Refusal | undefined>
  /** How many wrong passwords the caller has left. */
  left(caller: Who): Promise<Verdict>
}

/** Guesses count for the account, wherever they come from: the caller is signed in already. */
export function createConfirmPassword(db: Database, checkGuess: CheckGuess): ConfirmPassword {
  async function confirm({ accountId }: Who, current: string | null) {
    const row = await db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', accountId)
      .executeTakeFirst()
    const hash = row?.password_hash
    if (typeof hash !== 'string') return current === null ? undefined : noneYet
    if (current === null) return missing
    const isRight = await checkGuess(kinds.ownPassword, guessOf(accountId), () =>
      matchesPassword(current, hash),
    )
    if (isRefusal(isRight)) return isRight
    return isRight ? undefined : wrong
  }

  return Object.assign(confirm, {
    left: ({ accountId }: Who) => checkGuess.left(kinds.ownPassword, guessOf(accountId)),
  })
}

function guessOf(accountId: number): Guess {
  const of = publicId('acc', accountId)
  return { of, by: of, shown: { of } }
}

const refuseCurrent = (detail: string) => refuse('wrong_password', detail, 422, 'currentPassword')
const missing = refuseCurrent('Also send your current password, as current_password.')
const wrong = refuseCurrent('This is not your current password.')
const noneYet = refuseCurrent('This account has no password yet. Leave out the current password.')
