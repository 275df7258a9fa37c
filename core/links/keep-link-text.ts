import { compileOnce, type Places } from '../lib/compile-once.ts'
import { type Database, type Steps, step, type Tx } from '../storage/database.ts'
import { asJson, type Columns, namesOf, rowsOf } from '../storage/json-rows.ts'
import type { LinkTextsTable } from '../storage/schema.ts'
import { type SearchedLink, textOf } from './link-text.ts'

/** A link whose text is kept for searching. */
interface KeptLink extends SearchedLink {
  readonly rowId: number
  readonly accountId: number
}

/** Makes new links searchable, in the transaction that saves them. */
export function* addLinkTexts(
  tx: Tx,
  links: readonly (KeptLink & { readonly shortCode: string })[],
): Steps<void> {
  const rows = links.map(link => rowOf(link, [link.shortCode]))
  yield* step(insert.withValues(tx, { given: asJson(rows, columns) }))
}

/** Make a link searchable by its new text, in the transaction that changes it. */
export async function renewLinkText(tx: Tx, link: KeptLink): Promise<void> {
  const codes = await tx
    .selectFrom('short_codes')
    .select('code')
    .where('link_id', '=', link.rowId)
    .orderBy('created_at')
    .execute()
  const texts = codes.map(({ code }) => code)
  await upsert(tx, rowOf(link, texts))
}

/** Remove a link from searches, in the transaction that deletes it. */
export async function removeLinkText(
  tx: Tx,
  { accountId, rowId }: Pick<KeptLink, 'accountId' | 'rowId'>,
): Promise<void> {
  await tx
    .deleteFrom('link_texts')
    .where('account_id', '=', accountId)
    .where('link_id', '=', rowId)
    .execute()
}

function rowOf(link: KeptLink, codes: readonly string[]) {
  return { account_id: link.accountId, link_id: link.rowId, text: textOf(link, codes) }
}

const columns: Columns<keyof LinkTextsTable> = {
  texts: ['text'],
  numbers: ['account_id', 'link_id'],
}

const insert = compileOnce((db: Database, { given }: Places<{ given: string }>) =>
  db.insertInto('link_texts').columns(namesOf(columns)).expression(rowsOf(given, columns)),
)

const upsert = compileOnce((db: Database, row: Places<LinkTextsTable>) =>
  db
    .insertInto('link_texts')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['account_id', 'link_id']).doUpdateSet({ text: row.text }),
    ),
)
