import type { Tx } from '../../storage/database.ts'
import type { Account } from '../account.ts'
import { readAccount } from '../accounts.ts'
import { closeSessions } from './sessions.ts'

/** Give an account its new password, which ends its sessions and the one-time link that could set another. */
export async function setPassword(
  tx: Tx,
  accountId: number,
  passwordHash: string,
  now: () => Date,
): Promise<Account> {
  await closeSessions(tx, accountId)
  await tx.deleteFrom('one_time_links').where('account_id', '=', accountId).execute()
  const row = await tx
    .updateTable('accounts')
    .set({ password_hash: passwordHash, updated_at: now().getTime() })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readAccount(row)
}
