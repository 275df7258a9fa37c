import { UserError } from '../../lib/user-error.ts'
import { type CheckGuess, guessBy, kinds } from '../../limits/guesses.ts'
import type { Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { defaultPlan } from '../../settings/plan.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { addMeta } from '../../storage/meta.ts'
import type { Account } from '../account.ts'
import { newPassword } from '../account-fields.ts'
import { type AccountDraft, countAccounts, createAccount, findAccountByEmail } from '../accounts.ts'
import { isSame, randomSecret } from '../digest.ts'
import { bootstrapTokenOwner, ensureBootstrapToken } from './bootstrap-token.ts'

/** What the first admin enters. */
export type FirstAdmin = Pick<AccountDraft, 'email' | 'fullName'> & { readonly password: string }

/** The first run of an instance: there is nobody yet who could let anybody in. */
export interface SetUp {
  /** The code that lets its holder make the first admin; undefined once there is an account. It is never stored. */
  oneTimeCode(): Promise<string | undefined>
  /**
   * Make the first admin, once; `client` is the key of the client that asks. Refused: `not_found` afterwards,
   * `invalid_code`, `too_many_requests`.
   */
  setUpFirstAdmin(code: string, admin: FirstAdmin, client: string): Promise<Account | Refusal>
  /** How many wrong codes a client has left. */
  left(client: string): Promise<Verdict>
}

export function createSetUp({
  db,
  now,
  checkGuess,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly checkGuess: CheckGuess
}): SetUp {
  const code = randomSecret()
  return {
    left: client => checkGuess.left(kinds.setUpCode, guessBy(client)),

    oneTimeCode: async () => ((await isSetUp(db)) ? undefined : code),

    async setUpFirstAdmin(attempt, admin, client) {
      if (await isSetUp(db)) return alreadySetUp
      const isRight = await checkGuess(kinds.setUpCode, guessBy(client), async () =>
        isSame(attempt, code),
      )
      if (isRefusal(isRight)) return isRight
      if (!isRight) {
        const detail =
          'The code is wrong. The log shows the current one, written at the last start.'
        return refuse('invalid_code', detail, 403, 'code')
      }
      return inTransactionUnlessRefused<Account>(db, tx => createFirst(tx, admin, now))
    },
  }
}

/**
 * Ensures that an instance without accounts gets this admin, and that the token, if there is one, acts for
 * them. An instance that has accounts keeps them as they are: the password may have changed since. Throws a
 * `UserError`.
 */
export async function ensureAdmin(
  db: Database,
  { token, ...admin }: FirstAdmin & { readonly token: string | undefined },
  now: () => Date,
): Promise<void> {
  if (!(await isSetUp(db))) await makeFirst(db, admin, now)
  if (token === undefined) return
  const account = await findAccountByEmail(db, admin.email)
  if (!account?.isAdmin) {
    throw new UserError(
      `LINNET_BOOTSTRAP_TOKEN belongs to LINNET_ADMIN_EMAIL, but there is no admin ${admin.email}. ` +
        'Set LINNET_ADMIN_EMAIL to the address of an admin, or unset LINNET_BOOTSTRAP_TOKEN.',
    )
  }
  await ensureBootstrapToken(db, account.id, token, now)
}

/**
 * Ensures that the token, which may replace an earlier one, acts for the same admin as before. Throws a
 * `UserError`.
 */
export async function keepBootstrapToken(
  db: Database,
  token: string,
  now: () => Date,
): Promise<void> {
  const owner = await bootstrapTokenOwner(db)
  if (owner === undefined) {
    const why = (await isSetUp(db))
      ? 'the admin it belonged to no longer exists'
      : 'there is no admin yet'
    throw new UserError(
      `LINNET_BOOTSTRAP_TOKEN belongs to an admin, but ${why}: ` +
        'set LINNET_ADMIN_EMAIL and LINNET_ADMIN_PASSWORD too, or unset LINNET_BOOTSTRAP_TOKEN.',
    )
  }
  await ensureBootstrapToken(db, owner, token, now)
}

async function makeFirst(db: Database, admin: FirstAdmin, now: () => Date): Promise<void> {
  const { error } = newPassword.safeParse(admin.password)
  if (error) throw new UnfitAdmin(error.issues[0]?.message)
  const made = await inTransactionUnlessRefused<Account>(db, tx => createFirst(tx, admin, now))
  // Another process may have made one meanwhile.
  if (isRefusal(made) && made !== alreadySetUp) throw new UnfitAdmin(made.detail)
}

/** The details given for the first admin are not acceptable; the message says why. */
export class UnfitAdmin extends UserError {
  override readonly name = 'UnfitAdmin'
}

/** Whether there is an account. There always is one afterwards: the last admin cannot be deleted. */
export async function isSetUp(db: Database): Promise<boolean> {
  return (await countAccounts(db)) > 0
}

const alreadySetUp = refuse('not_found', 'This instance is already set up. Sign in instead.', 404)

/** Whoever writes the row first makes the admin; everybody else waits for that and is too late. */
async function createFirst(tx: Tx, admin: FirstAdmin, now: () => Date): Promise<Account | Refusal> {
  const isOurs = await addMeta(tx, 'set_up', now().toISOString())
  if (!isOurs || (await isSetUp(tx))) return alreadySetUp
  return createAccount(tx, { ...admin, plan: defaultPlan, isAdmin: true }, now)
}
