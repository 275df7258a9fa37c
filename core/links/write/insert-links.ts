import type { Selectable } from 'kysely'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import type { Tx } from '../../storage/database.ts'
import { phrasesOf } from '../../storage/phrases.ts'
import type { LinksTable } from '../../storage/schema.ts'
import { refuseReserved } from './claim-code.ts'
import { insertLink, type Unnamed } from './insert-link.ts'
import { makeShortCode, type Paths } from './short-code.ts'

type LinkRow = Selectable<LinksTable>

/** A link before it is saved, and the code that was chosen for it. */
export interface UnsavedLink {
  readonly link: Unnamed
  readonly chosen: string | undefined
}

/**
 * Save new links, in their order. Refused: a code that is taken. Undefined: they cannot be saved together. In either case
 * some may be saved, and the transaction has to be undone.
 */
export async function insertLinks(
  tx: Tx,
  links: readonly UnsavedLink[],
  paths: Paths,
): Promise<readonly LinkRow[] | Refusal | undefined> {
  if (links.length > 1 && phrasesOf(tx).isFar) return insertTogether(tx, links, paths)
  const rows: LinkRow[] = []
  for (const { link, chosen } of links) {
    const row = await insertLink(tx, link, chosen, paths)
    if (isRefusal(row)) return row
    rows.push(row)
  }
  return rows
}

/** By one statement for each table, however many they are: none of them has to wait for an answer on the one before. */
async function insertTogether(
  tx: Tx,
  links: readonly UnsavedLink[],
  paths: Paths,
): Promise<readonly LinkRow[] | Refusal | undefined> {
  const refusal = links.flatMap(
    ({ link, chosen }) =>
      (chosen !== undefined && refuseReserved(link.domain, chosen, paths)) || [],
  )[0]
  if (refusal) return refusal
  const wanted = links.map(({ link, chosen }) => ({
    ...link,
    short_code: chosen ?? makeShortCode(0),
  }))
  const rows = await tx
    .insertInto('links')
    .values(wanted)
    .onConflict(conflict => conflict.columns(['domain', 'short_code']).doNothing())
    .returningAll()
    .execute()
  const byCode = new Map(rows.map(row => [`${row.domain} ${row.short_code}`, row]))
  const inOrder = wanted.flatMap(it => byCode.get(`${it.domain} ${it.short_code}`) ?? [])
  if (inOrder.length < links.length) return undefined
  const codes = inOrder.map(
    ({ id: link_id, domain, short_code: code, account_id, created_at }) => ({
      ...{ domain, code, link_id, account_id, created_at },
    }),
  )
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('short_codes')
    .values(codes)
    .onConflict(conflict => conflict.columns(['domain', 'code']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) === links.length ? inOrder : undefined
}
