import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import { type Database, inTransactionUnlessRefused } from '../../storage/database.ts'
import type { Account } from '../account.ts'
import { findStaying, readAccount } from '../accounts.ts'
import { tellOfAccount } from '../tell-of-accounts.ts'
import { takeTurn } from '../usage.ts'
import { type Objection, refuseLastAdmin } from './change-account.ts'
import { closeSessions } from './sessions/sessions.ts'

/**
 * Keeps everybody from acting for an account until it is released: its sessions and its one-time link end, and its API tokens
 * open nothing. `linksClosed`: its links lead nowhere meanwhile. Undefined if there is no such account. Refused: `last_admin`,
 * or what `object` says.
 */
export function suspendAccount(
  db: Database,
  id: number,
  linksClosed: boolean,
  now: () => Date,
  object: Objection = () => undefined,
): Promise<Account | Refusal | undefined> {
  return change(db, id, now, async (account, tx) => {
    const barred = (await object(account, tx)) ?? (await refuseLastAdmin(tx, account))
    if (barred) return barred
    await closeSessions(tx, id, now)
    await tx.deleteFrom('one_time_links').where('account_id', '=', id).execute()
    return { suspendedAt: account.suspendedAt ?? now(), linksClosed }
  })
}

/** Lets an account act again that was suspended; its API tokens work as before. Refused: what `object` says. */
export function releaseAccount(
  db: Database,
  id: number,
  now: () => Date,
  object: Objection = () => undefined,
): Promise<Account | Refusal | undefined> {
  return change(
    db,
    id,
    now,
    async (account, tx) => (await object(account, tx)) ?? { suspendedAt: null, linksClosed: false },
  )
}

type Suspension = Pick<Account, 'suspendedAt' | 'linksClosed'>

function change(
  db: Database,
  id: number,
  now: () => Date,
  decide: (...given: Parameters<Objection>) => Promise<Suspension | Refusal>,
): Promise<Account | Refusal | undefined> {
  return inTransactionUnlessRefused<Account | undefined>(db, async tx => {
    // Whoever signs in at the same moment has a session before it, which ends, or none after it.
    await takeTurn(tx, id)
    const before = await findStaying(tx, id)
    if (!before) return undefined
    const decided = await decide(before, tx)
    if ('kind' in decided) return decided
    const { suspendedAt, linksClosed } = decided
    const changed = [
      ...(before.suspendedAt?.getTime() === suspendedAt?.getTime() ? [] : ['suspendedAt']),
      ...(before.linksClosed === linksClosed ? [] : ['linksClosed']),
    ]
    if (changed.length === 0) return before
    const row = await tx
      .updateTable('accounts')
      .set({
        suspended_at: suspendedAt?.getTime() ?? null,
        links_closed: linksClosed ? 1 : 0,
        updated_at: now().getTime(),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const after = readAccount(row)
    await tellOfAccount(tx, now(), before, after, changed)
    return after
  })
}

/** Whoever is refused so has proven who they are. */
export const suspended = refuse(
  'account_suspended',
  'This account is suspended. Ask whoever runs this server.',
  403,
)
