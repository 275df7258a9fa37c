import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Identified } from '../../plugin/sign-in/provider.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { tell } from '../../storage/outbox.ts'
import type { Account } from '../account.ts'
import { email as emailSchema, fullName as fullNameSchema } from '../account-fields.ts'
import { createAccount, findAccount, findAccountByEmail, readAccount } from '../accounts.ts'
import { digest } from '../digest.ts'
import { updateAccount } from './change-account.ts'
import { invalidLink, takeLink } from './one-time-links.ts'
import { suspended } from './suspend-account.ts'

/**
 * The account of somebody whom a provider named: the one with this identity, or else the one with the verified address, or a
 * new one, as far as the provider says so. By an invitation, whose digest is given, it is the account of that, or nobody's. Refused: `no_account`,
 * `account_suspended`, `invalid_one_time_link`, and `other_account` if somebody accepts an invitation who has an account, or for one that another person
 * at the provider has.
 */
export function accountOf(
  db: Database,
  who: Identified,
  {
    now,
    usualPlan,
    invitation,
  }: {
    readonly now: () => Date
    readonly usualPlan: string
    readonly invitation?: string | undefined
  },
): Promise<Named | Refusal> {
  return inTransactionUnlessRefused<Named>(db, async tx => {
    const known = await findByIdentity(tx, who)
    const before =
      invitation === undefined
        ? (known ?? (await matched(tx, who)) ?? (await created(tx, who, usualPlan, now)))
        : await invited(tx, who, invitation, known, now)
    if (isRefusal(before)) return before
    if (before.suspendedAt) return suspended
    await noteUse(tx, who, before, now())
    const account = await setRights(tx, before, who.set, now)
    if (isRefusal(account)) return account
    return account ? { account, isMoved: account.plan !== before.plan } : noAccount
  })
}

/** The only admin stays one: nobody else could let them in again. */
async function setRights(tx: Tx, before: Account, set: Identified['set'], now: () => Date) {
  if (!set) return before
  const account = await updateAccount(tx, before.id, set, now)
  if (!isRefusal(account) || account.code !== 'last_admin') return account
  return updateAccount(tx, before.id, { plan: set.plan }, now)
}

interface Named {
  readonly account: Account
  /** Whether it has another plan than before. */
  readonly isMoved: boolean
}

async function findByIdentity(
  tx: Tx,
  { issuer, subject }: Identified,
): Promise<Account | undefined> {
  const row = await tx
    .selectFrom('identities')
    .innerJoin('accounts', 'accounts.id', 'identities.account_id')
    .selectAll('accounts')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && readAccount(row)
}

/** The account that an invitation is for, which is used up. */
async function invited(
  tx: Tx,
  who: Identified,
  invitation: string,
  known: Account | undefined,
  now: () => Date,
): Promise<Account | Refusal> {
  const id = await takeLink(tx, invitation, now().getTime())
  const account = id === undefined ? undefined : await findAccount(tx, id)
  if (!account || account.hasPassword) return invalidLink
  const isTaken = known ? known.id !== account.id : await hasOther(tx, who, account)
  return isTaken ? otherAccount : account
}

/** Not an account that somebody else at the same provider signs in to: addresses are given to new people. */
async function matched(tx: Tx, who: Identified): Promise<Account | undefined> {
  const address = verified(who)
  if (who.match !== 'verifiedEmail' || address === undefined) return undefined
  const account = await findAccountByEmail(tx, address)
  if (!account) return undefined
  return (await hasOther(tx, who, account)) ? undefined : account
}

/** Whether somebody at the same provider signs in to an account. */
async function hasOther(tx: Tx, { issuer }: Identified, { id }: Account): Promise<boolean> {
  const other = await tx
    .selectFrom('identities')
    .select('subject')
    .where('account_id', '=', id)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  return other !== undefined
}

/** Without a password. An account for an address that nobody verified would wait for its owner to be taken in. */
async function created(
  tx: Tx,
  who: Identified,
  usualPlan: string,
  now: () => Date,
): Promise<Account | Refusal> {
  const email = verified(who)
  if (!who.create || email === undefined) return noAccount
  const { data: fullName = null } = fullNameSchema.safeParse(who.fullName)
  const plan = who.create.plan ?? usualPlan
  const made = { email, password: null, fullName, plan, isAdmin: false }
  const account = await createAccount(tx, made, now)
  return isRefusal(account) ? noAccount : account
}

function verified({ email, isEmailVerified }: Identified): string | undefined {
  return isEmailVerified === true ? emailSchema.safeParse(email).data : undefined
}

async function noteUse(tx: Tx, who: Identified, account: Account, at: Date): Promise<void> {
  const { issuer, subject } = who
  const used = { used_at: at.getTime() }
  const { numUpdatedRows } = await tx
    .updateTable('identities')
    .set(used)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  await tx
    .insertInto('identities')
    .values({ issuer, subject, account_id: account.id, created_at: at.getTime(), ...used })
    .execute()
  await tx
    .updateTable('accounts')
    .set({ email_verified_at: at.getTime() })
    .where('id', '=', account.id)
    .where('email', '=', verified(who) ?? '')
    .where('email_verified_at', 'is', null)
    .execute()
  await tell(tx, 'identity', at, [account.id], accountId => ({
    accountId,
    after: { issuer, subject, createdAt: at.toISOString() },
  }))
}

/** An identity at a provider, as its account sees it. */
export interface ShownIdentity {
  readonly id: string
  readonly issuer: string
  readonly createdAt: string
  readonly lastUsedAt: string
}

/** What signs an account in besides its password, the one used last first. */
export async function listIdentities(
  db: Database,
  accountId: number,
): Promise<readonly ShownIdentity[]> {
  const rows = await db
    .selectFrom('identities')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('used_at', 'desc')
    .orderBy('issuer')
    .orderBy('subject')
    .execute()
  return rows.map(row => ({
    id: idOf(row),
    issuer: row.issuer,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.used_at).toISOString(),
  }))
}

/** Lets an identity sign an account in no longer; false if it did not. Refused: `last_way_in`. */
export function removeIdentity(
  db: Database,
  accountId: number,
  id: string,
  now: () => Date,
): Promise<boolean | Refusal> {
  return inTransactionUnlessRefused<boolean>(db, async tx => {
    // A write, so that in databases that lock rows others wait who remove another one at the same moment.
    const account = await tx
      .updateTable('accounts')
      .set(({ ref }) => ({ updated_at: ref('updated_at') }))
      .where('id', '=', accountId)
      .returning('password_hash')
      .executeTakeFirst()
    const all = await tx
      .selectFrom('identities')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
    const found = all.find(it => idOf(it) === id)
    if (!account || !found) return false
    if (account.password_hash === null && all.length === 1) return lastWayIn
    await tx
      .deleteFrom('identities')
      .where('issuer', '=', found.issuer)
      .where('subject', '=', found.subject)
      .execute()
    await tell(tx, 'identity', now(), [found], ({ issuer, subject, created_at }) => ({
      accountId,
      before: { issuer, subject, createdAt: new Date(created_at).toISOString() },
      after: undefined,
    }))
    return true
  })
}

/** Says nothing of who it is at the provider. */
function idOf({ issuer, subject }: Pick<Identified, 'issuer' | 'subject'>): string {
  return `idn_${digest(JSON.stringify([issuer, subject])).slice(0, 24)}`
}

const lastWayIn = refuse(
  'last_way_in',
  'Nothing else signs this account in. Set a password first, or sign in by another provider.',
  409,
)
const otherAccount = refuse(
  'other_account',
  'The provider named somebody who has another account, or this account is another person there.',
  403,
)
const noAccount = refuse('no_account', 'There is no account for you here.', 403)
