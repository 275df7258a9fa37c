import { publicId } from '../lib/public-id.ts'
import type { Tx } from '../storage/database.ts'
import { tell } from '../storage/outbox.ts'
import type { Account } from './account.ts'
import { showAccount } from './profile.ts'

/** Writes the event of an account in the transaction that changes it, if any plugin hears of accounts. */
export function tellOfAccount(
  tx: Tx,
  at: Date,
  before: Account | undefined,
  after: Account | undefined,
  changed: readonly string[] = [],
): Promise<void> {
  return tell(tx, 'account', at, [{ before, after }], ({ before, after }) => ({
    accountId: (after ?? before)?.id ?? null,
    before: before && shown(before),
    after: after && shown(after),
    changed,
  }))
}

/** Writes the event of an account whose links another one has now, in the transaction that gives them. */
export function tellOfHandOver(
  tx: Tx,
  at: Date,
  from: Account,
  to: Account,
  links: number,
): Promise<void> {
  return tell(tx, 'account', at, [from], account => ({
    accountId: account.id,
    before: shown(account),
    after: { ...shown(account), handedOverTo: publicId('acc', to.id), handedOverLinks: links },
  }))
}

function shown(account: Account) {
  const { plan, suspendedAt, linksClosed } = account
  return {
    ...showAccount(account),
    ...{ plan, suspendedAt: suspendedAt?.toISOString() ?? null, linksClosed },
  }
}
