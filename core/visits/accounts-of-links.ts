import { createLru } from '../lru.ts'
import type { Tx } from '../storage/database.ts'
import { inChunks } from './chunks.ts'

/** The account of each of these links, all by the number of their row; none for links that are gone. */
export type AccountsOfLinks = (
  tx: Tx,
  linkIds: ReadonlySet<number>,
) => Promise<ReadonlyMap<number, number>>

/** A link never changes hands, and its number never comes again. */
const maxRemembered = 100_000

/** Makes the function that knows them, and looks up those that it has not seen lately. */
export function createAccountsOfLinks(): AccountsOfLinks {
  const remembered = createLru<number, number>(maxRemembered)
  return async (tx, linkIds) => {
    const accounts = new Map<number, number>()
    const unknown: number[] = []
    for (const id of linkIds) {
      const account = remembered.get(id)
      if (account === undefined) unknown.push(id)
      else accounts.set(id, account)
    }
    for (const ids of inChunks(unknown)) {
      const links = await tx
        .selectFrom('links')
        .select(['id', 'account_id'])
        .where('id', 'in', ids)
        .execute()
      for (const { id, account_id } of links) {
        accounts.set(id, account_id)
        remembered.set(id, account_id)
      }
    }
    return accounts
  }
}
