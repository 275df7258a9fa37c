import { compileOnce, type Places } from '../lib/compile-once.ts'
import { type Database, type Steps, step, type Tx } from '../storage/database.ts'
import type { LinkTextsTable } from '../storage/schema.ts'
import { type SearchedLink, textOf } from './link-text.ts'

/** A link whose text is kept for searching. */
interface KeptLink extends SearchedLink {
  readonly rowId: number
  readonly accountId: number
}

/** Make a new link searchable, in the transaction that saves it. */
export function* addLinkText(tx: Tx, link: KeptLink & { readonly shortCode: string }): Steps<void> {
  yield* step(upsert.withValues(tx, rowOf(link, [link.shortCode])))
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

const upsert = compileOnce((db: Database, row: Places<LinkTextsTable>) =>
  db
    .insertInto('link_texts')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['account_id', 'link_id']).doUpdateSet({ text: row.text }),
    ),
)
