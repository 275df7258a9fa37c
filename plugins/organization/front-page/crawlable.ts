import {
  type Context,
  type Fields,
  type Migration,
  publicId,
  type SavedLink,
} from '../../../core/plugin.ts'

const table = 'organization_front_page_crawlable'

export interface Tables {
  [table]: { link_id: number }
}

type OwnContext = Pick<Context<Fields, unknown, Tables>, 'db' | 'links'>

/** As many links are named in robots.txt, the oldest. Readers need not read more than 500 KiB (RFC 9309). */
const most = 1_000

const freshMs = 60_000

export const makeTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete('cascade'))
    .execute()
}

export async function noteCrawlable(
  { rowId }: SavedLink,
  isCrawlable: boolean | null,
  { db }: OwnContext,
): Promise<void> {
  if (!isCrawlable) await db.deleteFrom(table).where('link_id', '=', rowId).execute()
  else {
    const row = { link_id: rowId }
    await db
      .insertInto(table)
      .values(row)
      .onConflict(it => it.doNothing())
      .execute()
  }
}

/** The links that search engines may read, by host, looked up anew once a minute: anybody may ask. */
export function crawlableLinks({ db, links }: OwnContext, nowMs: () => number) {
  let known: { readonly at: number; readonly found: Promise<readonly SavedLink[]> } | undefined

  async function find(): Promise<readonly SavedLink[]> {
    const rows = await db
      .selectFrom(table)
      .select('link_id')
      .orderBy('link_id')
      .limit(most)
      .execute()
    const found: SavedLink[] = []
    for (const { link_id } of rows) {
      const link = await links.find(publicId('lnk', Number(link_id)))
      if (link) found.push(link)
    }
    return found
  }

  return async (host: string, accountId: number | undefined): Promise<readonly string[]> => {
    const at = nowMs()
    if (known === undefined || at - known.at >= freshMs) {
      const found = find()
      known = { at, found }
      found.catch(() => {
        known = undefined
      })
    }
    return (await known.found)
      .filter(it => it.domain === host && (accountId === undefined || it.accountId === accountId))
      .map(it =>
        new URL(links.shortUrl(it)).pathname.replace(/[$*]/g, it => (it === '$' ? '%24' : '%2A')),
      )
  }
}
