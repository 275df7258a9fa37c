import type { LinkFields } from '../../../kernel/hooks/link-fields.ts'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import { afterHosts } from '../../../links/codes/code-rules.ts'
import { type Link, readLink, shownToPlugins } from '../../../links/link.ts'
import type { Json } from '../../../plugin/fields.ts'
import type { UnstableLinks, WholeLink } from '../../../plugin.ts'
import type { Database } from '../../../storage/database.ts'
import type { NamedDimension } from '../../../visits/facts/dimensions.ts'
import { linkHistories } from '../../../visits/read/link-history.ts'
import type { ShowLinks } from './show-links.ts'

/** How many links are read at once: reading them holds up redirects. */
const pageSize = 100

/** Lets plugins read all there is of links. */
export function lendWholeLinks({
  db,
  show,
  fields,
  dimensions,
  catchUp,
}: {
  readonly db: Database
  readonly show: ShowLinks
  readonly fields: LinkFields
  readonly dimensions: readonly NamedDimension[]
  catchUp(): Promise<void>
}): Pick<UnstableLinks, 'whole' | 'histories'> {
  const settable = ['title', 'notes', ...Object.keys(fields.requestShape('create'))]

  async function wholeOf(links: readonly Link[]): Promise<readonly WholeLink[]> {
    const [shown, former] = [await show.all(links), await formerCodesOf(db, links)]
    return links.map((link, index) => {
      // Dates and absent members, as they are sent.
      const all = JSON.parse(JSON.stringify(shown[index])) as Record<string, Json>
      const given = settable.filter(name => all[name] !== undefined && all[name] !== null)
      return {
        link: shownToPlugins(link),
        settable: Object.fromEntries(given.map(name => [name, all[name] ?? null])),
        shown: all,
        hashed: fields.hashesIn(link.fields),
        formerCodes: former.get(link.rowId) ?? [],
      }
    })
  }

  return {
    async *whole(accountId) {
      await catchUp()
      for (let last = 0; ; ) {
        const rows = await db
          .selectFrom('links')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('id', '>', last)
          .orderBy('id')
          .limit(pageSize)
          .execute()
        if (rows.length > 0) yield await wholeOf(rows.map(readLink))
        last = rows.at(-1)?.id ?? last
        await yieldToRedirects()
        if (rows.length < pageSize) return
      }
    },

    async *histories(links) {
      const byRow = new Map(links.map(link => [link.rowId, link]))
      for await (const { linkId, counts } of linkHistories(db, [...byRow.keys()], dimensions)) {
        const link = byRow.get(linkId)
        if (link) yield { link, counts }
      }
    },
  }
}

/** The codes that lead to links besides the one that each has now, oldest first, by row id. */
async function formerCodesOf(
  db: Database,
  links: readonly Link[],
): Promise<ReadonlyMap<number, WholeLink['formerCodes']>> {
  const now = new Map(links.map(it => [it.rowId, it]))
  const rows = await db
    .selectFrom('short_codes')
    .select(['link_id', 'domain', 'code'])
    .where('link_id', 'in', [...now.keys()])
    .where('domain', '<', afterHosts)
    .orderBy('created_at')
    .orderBy('code')
    .execute()
  const former = new Map<number, { readonly domain: string; readonly code: string }[]>()
  for (const { link_id, domain, code } of rows) {
    const link = link_id === null ? undefined : now.get(link_id)
    if (!link || (link.domain === domain && link.shortCode === code)) continue
    former.set(link.rowId, [...(former.get(link.rowId) ?? []), { domain, code }])
  }
  return former
}
