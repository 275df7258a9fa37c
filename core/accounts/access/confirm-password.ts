import { matchesPassword } from '../../lib/passwords.ts'
import { publicId } from '../../lib/public-id.ts'
import { type CheckGuess, type Guess, kinds } from '../../limits/guesses.ts'
import type { Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Caller } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { SignedIn } from '../account.ts'
import { stepsSince } from './account-steps.ts'

type Who = Pick<Caller, 'accountId'>
type Proven = Pick<Caller, 'accountId' | 'credential' | 'isAdmin'> &
  Pick<SignedIn, 'authenticatedAt' | 'methods'>

export interface ConfirmPassword {
  /**
   * Check that the caller knows the current password of their account, which is null if it has none. A session of an account
   * without a password, or with a second step, must also be fresh; one of an account that may not use its password, or that was opened
   * by a first step such as a passkey, only that. Refused: `wrong_password`, `too_many_requests`, `fresh_sign_in_required`.
   */
  (caller: Proven, current: string | null): Promise<Refusal | undefined>
  /** Check the password alone. Refused: `wrong_password`, `too_many_requests`. */
  password(caller: Who, current: string | null): Promise<Refusal | undefined>
  /**
   * Check that the owner of a session was proven within so many seconds, by all that the account needs. Refused:
   * `fresh_sign_in_required`, and `session_required` for tokens.
   */
  fresh(caller: Proven, seconds: number): Promise<Refusal | undefined>
  /** How many wrong passwords the caller has left. */
  left(caller: Who): Promise<Verdict>
}

/** Whether an account may sign in by its password, and prove by it again who it is. */
export type MayUsePassword = (account: { readonly isAdmin: boolean }) => boolean

/** How long a sign-in stands for what is asked besides the password, in seconds. */
const freshSeconds = 600

/** Guesses count for the account, wherever they come from: the caller is signed in already. */
export function createConfirmPassword(
  db: Database,
  checkGuess: CheckGuess,
  now: () => Date,
  mayUse: MayUsePassword = () => true,
): ConfirmPassword {
  async function hashOf(accountId: number): Promise<string | null> {
    const row = await db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', accountId)
      .executeTakeFirst()
    return row?.password_hash ?? null
  }

  async function check(accountId: number, current: string | null, hash: string | null) {
    if (hash === null) return current === null ? undefined : noneYet
    if (current === null) return missing
    const isRight = await checkGuess(kinds.ownPassword, guessOf(accountId), () =>
      matchesPassword(current, hash),
    )
    if (isRefusal(isRight)) return isRight
    return isRight ? undefined : wrong
  }

  async function fresh({ accountId, credential, authenticatedAt }: Proven, seconds: number) {
    if (credential !== 'session' || !authenticatedAt) return sessionRequired
    const provenAt = authenticatedAt.getTime()
    const isRecent = Math.abs(now().getTime() - provenAt) <= seconds * 1_000
    // Before the account needed a second step, its sessions were opened without one.
    return isRecent && provenAt >= (await stepsSince(db, accountId)) ? undefined : notFresh
  }

  async function confirm(caller: Proven, current: string | null) {
    const { accountId, credential } = caller
    const hash = await hashOf(accountId)
    // Whoever signs in elsewhere may have forgotten it.
    const isAsked = credential !== 'session' || (mayUse(caller) && !isByFirstStep(caller))
    const refused = isAsked ? await check(accountId, current, hash) : undefined
    if (refused || credential !== 'session') return refused
    const isEnough = isAsked && hash !== null && (await stepsSince(db, accountId)) === 0
    return isEnough ? undefined : fresh(caller, freshSeconds)
  }

  return Object.assign(confirm, {
    fresh,
    password: async ({ accountId }: Who, current: string | null) =>
      check(accountId, current, await hashOf(accountId)),
    left: ({ accountId }: Who) => checkGuess.left(kinds.ownPassword, guessOf(accountId)),
  })
}

/** Whether a session was opened by what is no password and no provider, such as a passkey. */
export function isByFirstStep({ methods = [] }: Pick<SignedIn, 'methods'>): boolean {
  return methods.length > 0 && !methods.includes('pwd') && !methods.includes('fed')
}

function guessOf(accountId: number): Guess {
  const of = publicId('acc', accountId)
  return { of, by: of, shown: { of } }
}

const refuseCurrent = (detail: string) => refuse('wrong_password', detail, 422, 'currentPassword')
const missing = refuseCurrent('Also send your current password, as current_password.')
const wrong = refuseCurrent('This is not your current password.')
const noneYet = refuseCurrent('This account has no password yet. Leave out the current password.')
export const notFresh = refuse(
  'fresh_sign_in_required',
  'You signed in too long ago for this. Prove again who you are, with `POST /session/proof` or by the provider that you sign in with.',
  403,
)
export const sessionRequired = refuse(
  'session_required',
  'A token cannot do this. Sign in, and do it with the session.',
  403,
)
