import { foldText } from '../lib/text/normal-form.ts'
import { type Part, readSlice, type Slice } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import type { Account } from './account.ts'
import { countAccounts, readAccount } from './accounts.ts'
import { noUsage, periodOf, type Usage, usageIn } from './usage.ts'

/** An account in a list, with its usage. */
export interface ListedAccount extends Account {
  readonly linksCount: number
  readonly usage: Usage
  /** When one of its sessions or API tokens was last used; null if none of those that still exist was. */
  readonly lastSeenAt: Date | null
}

/** Accounts, oldest first: all of them, or those with every word of a search in their e-mail address or name. */
export async function listAccounts(
  db: Database,
  page: Slice,
  { search, now }: { readonly search?: string | undefined; readonly now: () => Date },
): Promise<Part<ListedAccount> & { readonly total: number }> {
  const found = search === undefined ? undefined : await findIds(db, search)
  const accounts = db
    .selectFrom('accounts')
    .selectAll()
    .$if(found !== undefined, query => query.where('id', 'in', found ?? []))
  const { rows, next } = await readSlice(accounts, { by: ['id'] }, page)
  const ids = rows.map(({ id }) => id)
  const [usage, lastSeen] = [await usageIn(db, ids, periodOf(now())), await lastSeenOf(db, ids)]
  const links = await countLinks(db, ids)
  return {
    rows: rows.map(row => ({
      ...readAccount(row),
      linksCount: links.get(row.id) ?? 0,
      usage: usage.get(row.id) ?? noUsage,
      lastSeenAt: lastSeen.get(row.id) ?? null,
    })),
    next,
    total: found?.length ?? (await countAccounts(db)),
  }
}

/** An instance has no more accounts than people, so the search reads them all. */
async function findIds(db: Database, search: string): Promise<readonly number[]> {
  const words = foldText(search).split(/\s+/)
  const rows = await db.selectFrom('accounts').select(['id', 'email', 'full_name']).execute()
  return rows
    .filter(({ email, full_name }) => {
      const text = foldText(`${email} ${full_name ?? ''}`)
      return words.every(word => text.includes(word))
    })
    .map(({ id }) => id)
}

async function countLinks(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('links')
    .select(({ fn }) => ['account_id', fn.countAll<number>().as('total')])
    .where('account_id', 'in', ids)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, total }) => [account_id, Number(total)]))
}

async function lastSeenOf(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const sessions = db
    .selectFrom('sessions')
    .select(['account_id', 'seen_at as at'])
    .where('account_id', 'in', ids)
  const tokens = db
    .selectFrom('api_tokens')
    .select(['account_id', 'last_used_at as at'])
    .where('account_id', 'in', ids)
  const rows = [...(await sessions.execute()), ...(await tokens.execute())]
  const latest = new Map<number, number>()
  for (const { account_id, at } of rows) {
    if (at !== null) latest.set(account_id, Math.max(at, latest.get(account_id) ?? at))
  }
  return new Map([...latest].map(([id, at]) => [id, new Date(at)]))
}
