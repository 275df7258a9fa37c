import { isDeepStrictEqual } from 'node:util'
import { hashPassword } from '../../lib/passwords.ts'
import { isRefusal, type Later, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { type DeleteBelow, prepareDeleteBelow } from '../../storage/delete-below.ts'
import type { Account, SignedIn } from '../account.ts'
import { refuseOwnWords } from '../account-fields.ts'
import { findAccount, findStaying, readAccount } from '../accounts.ts'
import { tellOfAccount } from '../tell-of-accounts.ts'
import { type ConfirmPassword, sessionRequired } from './confirm-password.ts'
import { gone, holdCaller } from './hold-caller.ts'
import { closeSessions } from './sessions/sessions.ts'
import { deleteTokens } from './token-rows.ts'

/** What can change about an account; absent fields stay as they are. */
interface AccountChange {
  readonly password?: string | undefined
  readonly fullName?: string | null | undefined
  readonly plan?: string | undefined
  readonly isAdmin?: boolean | undefined
}

/** May refuse a change, given the account as it is in the transaction that changes it. */
export type Objection = (account: Account, tx: Tx) => Later<Refusal | undefined>

const noObjection: Objection = () => undefined

/**
 * Change an account; undefined if there is none. A change that changes nothing makes no new version. A new
 * password ends all sessions of the account. Refused: `last_admin`, an e-mail address as password, or what
 * `object` says.
 */
export async function updateAccount(
  db: Database,
  id: number,
  change: AccountChange,
  now: () => Date,
  object: Objection = noObjection,
): Promise<Account | Refusal | undefined> {
  const passwordHash =
    change.password === undefined ? undefined : await hashPassword(change.password)
  return inTransactionUnlessRefused<Account | undefined>(db, async tx => {
    const account = await findStaying(tx, id)
    if (!account) return undefined
    const stepsBack = account.isAdmin && change.isAdmin === false
    const barred =
      (await object(account, tx)) ??
      (change.password === undefined ? undefined : refuseOwnWords(change.password, account)) ??
      (stepsBack ? await refuseLastAdmin(tx, account) : undefined)
    if (barred) return barred
    const after = {
      fullName: change.fullName === undefined ? account.fullName : change.fullName,
      plan: change.plan ?? account.plan,
      isAdmin: change.isAdmin ?? account.isAdmin,
    }
    const isSame = isDeepStrictEqual({ ...account, ...after }, account)
    if (isSame && passwordHash === undefined) return account
    if (passwordHash !== undefined) await setPassword(tx, id, passwordHash, now)
    const row = await tx
      .updateTable('accounts')
      .set({
        full_name: after.fullName,
        plan: after.plan,
        is_admin: after.isAdmin ? 1 : 0,
        updated_at: now().getTime(),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) return undefined
    const changed = readAccount(row)
    const names = (['fullName', 'plan', 'isAdmin'] as const).filter(
      name => changed[name] !== account[name],
    )
    await tellOfAccount(
      tx,
      now(),
      account,
      changed,
      passwordHash === undefined ? names : [...names, 'password'],
    )
    return changed
  })
}

/**
 * Delete an account and everything it owns; false when there is none. Refused: `last_admin`, or what
 * `object` says. If nothing is refused, `first` deletes what would take long in one statement.
 */
export async function deleteAccount(
  db: Database,
  id: number,
  now: () => Date,
  object: Objection = noObjection,
  first: (tx: Tx, deleteBelow: DeleteBelow) => Promise<void> = async () => undefined,
): Promise<boolean | Refusal> {
  return inTransactionUnlessRefused<boolean>(db, async tx => {
    const account = await findDeletable(tx, id, object)
    if (!account || isRefusal(account)) return account ?? false
    const deleteBelow = await prepareDeleteBelow(tx)
    await first(tx, deleteBelow)
    await deleteTokens(tx, now(), all => all.where('account_id', '=', id))
    await deleteBelow(tx, 'accounts', [id])
    await tx.deleteFrom('accounts').where('id', '=', id).execute()
    await tellOfAccount(tx, now(), account, undefined)
    return true
  })
}

/** Says what `deleteAccount` would, and deletes nothing. */
export async function tryToDeleteAccount(
  db: Database,
  id: number,
  object: Objection,
): Promise<boolean | Refusal> {
  return inTransactionUnlessRefused<boolean>(db, async tx => {
    const account = await findDeletable(tx, id, object)
    return account !== undefined && isRefusal(account) ? account : account !== undefined
  })
}

/** An account that may be deleted; undefined if there is none. */
export async function findDeletable(
  tx: Tx,
  id: number,
  object: Objection,
): Promise<Account | Refusal | undefined> {
  const account = await findAccount(tx, id)
  return account && ((await object(account, tx)) ?? (await refuseLastAdmin(tx, account)) ?? account)
}

/** Refuses that an account stops being an admin if nobody could run the instance then. */
export async function refuseLastAdmin(
  tx: Tx,
  { isAdmin, suspendedAt }: Account,
): Promise<Refusal | undefined> {
  if (!isAdmin || suspendedAt) return undefined
  // Counted by a write that changes nothing: in databases that lock rows, two admins who leave at the same moment wait
  // for each other here, so that they do not each see the other stay.
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ is_admin: 1 })
    .where('is_admin', '=', 1)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 1n) return undefined
  return refuse('last_admin', 'This is the only admin. Make another account an admin first.', 409)
}

/** Give an account its new password, which ends its sessions and the one-time link that could set another. */
export async function setPassword(
  tx: Tx,
  accountId: number,
  passwordHash: string,
  now: () => Date,
): Promise<Account> {
  await closeSessions(tx, accountId, now)
  await tx.deleteFrom('one_time_links').where('account_id', '=', accountId).execute()
  const row = await tx
    .updateTable('accounts')
    .set({ password_hash: passwordHash, updated_at: now().getTime() })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readAccount(row)
}

/** `current` is null for an account that has no password yet. */
interface PasswordChange {
  readonly current: string | null
  readonly password: string
}

/**
 * Change the caller's own password, which ends all sessions of the account. Refused: what `confirm` says;
 * `session_required`, because a first password set with a token would outlive the token; what `holdCaller` says, because
 * neither an old password nor a session that was ended may undo what was done while the password was checked.
 */
export async function changePassword(
  db: Database,
  caller: SignedIn,
  { current, password }: PasswordChange,
  { confirm, now }: { readonly confirm: ConfirmPassword; readonly now: () => Date },
): Promise<Account | Refusal> {
  const refused = await confirm(caller, current)
  if (refused) return refused
  if (!caller.account.hasPassword && caller.credential !== 'session') return sessionRequired
  const changed = await updateAccount(db, caller.accountId, { password }, now, (_, tx) =>
    holdCaller(tx, caller),
  )
  return changed ?? gone
}
