import type { Json } from '../plugin.ts'
import type { Tx } from '../storage/database.ts'
import { isHeard, tell } from '../storage/outbox.ts'
import type { Account } from './account.ts'
import { showAccount } from './profile.ts'

/** Writes the event of an account in the transaction that changes it, if any plugin hears of accounts. */
export async function tellOfAccount(
  tx: Tx,
  at: Date,
  before: Account | undefined,
  after: Account | undefined,
  changed: readonly string[] = [],
): Promise<void> {
  if (!isHeard(tx, 'account')) return
  const type = !before ? 'created' : after ? 'updated' : 'deleted'
  await tell(tx, [
    {
      type: `account.${type}`,
      at,
      accountId: (after ?? before)?.id ?? null,
      before: before ? shown(before) : null,
      after: after ? shown(after) : null,
      changed,
    },
  ])
}

function shown(account: Account): Readonly<Record<string, Json>> {
  return { ...showAccount(account), plan: account.plan }
}
