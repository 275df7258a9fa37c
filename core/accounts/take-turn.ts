import type { Tx } from '../storage/database.ts'

/**
 * From here to the end of the transaction, nobody else who takes a turn changes what the account has.
 * SQLite lets one write at a time anyway; databases that lock rows let others wait at this write, which
 * changes nothing.
 */
export async function takeTurn(tx: Tx, accountId: number): Promise<void> {
  await tx
    .updateTable('accounts')
    .set(({ ref }) => ({ is_admin: ref('is_admin') }))
    .where('id', '=', accountId)
    .execute()
}
