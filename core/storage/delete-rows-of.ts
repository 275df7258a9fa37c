import { sql } from 'kysely'
import { yieldToRedirects } from '../lib/async/yield-to-redirects.ts'
import type { Tx } from './database.ts'
import { isInProcess } from './database-kind.ts'
import { isDangling } from './foreign-keys.ts'

/** What else refers to this many rows takes some hundredths of a second. */
const rowsAtOnce = 64

/**
 * Deletes the rows of an account that would go with it, with turns for redirects in between: all that an account has, in one
 * statement, keeps the event loop for seconds. Where the database is another process, it does that by itself.
 */
export async function deleteRowsOf(tx: Tx, accountId: number): Promise<void> {
  if (!isInProcess(tx)) return
  for (const table of await tablesOfAccounts(tx)) {
    while (await deleteSome(tx, table, accountId)) await yieldToRedirects()
  }
}

/** Whether there may be more. Rows to which others refer that are still there are left to the statement that deletes the account. */
async function deleteSome(tx: Tx, { name, key }: Table, accountId: number): Promise<boolean> {
  const table = sql.table(name)
  const columns = sql.join(key.split(',').map(it => sql.ref(it)))
  try {
    const { numAffectedRows } = await sql`
      delete from ${table} where (${columns}) in
        (select ${columns} from ${table} where account_id = ${accountId} limit ${rowsAtOnce})
    `.execute(tx)
    return numAffectedRows === BigInt(rowsAtOnce)
  } catch (error) {
    if (isDangling(error)) return false
    throw error
  }
}

interface Table {
  readonly name: string
  /** The columns of its primary key, with commas. */
  readonly key: string
}

/** The tables, also of plugins, whose rows go with their account and are found by it: the newest first, as they may refer to those before. */
async function tablesOfAccounts(tx: Tx): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    select name, coalesce(
      (select group_concat(part.name) from pragma_table_info(whole.name) part where pk > 0), 'rowid'
    ) as key
    from sqlite_master whole where type = 'table'
      and exists (
        select 1 from pragma_foreign_key_list(whole.name)
        where "table" = 'accounts' and "from" = 'account_id' and on_delete = 'CASCADE'
      )
      and exists (
        select 1 from pragma_index_list(whole.name) list join pragma_index_info(list.name) info
        where info.seqno = 0 and info.name = 'account_id'
      )
    order by rowid desc
  `.execute(tx)
  return rows
}
