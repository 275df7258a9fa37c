import { compileOnce, type Places } from '../lib/compile-once.ts'
import type { Database, Tx } from '../storage/database.ts'
import type { LinkTextsTable } from '../storage/schema.ts'
import { type SearchedLink, textOf } from './link-text.ts'

/** A link whose text is kept for searching. */
interface KeptLink extends SearchedLink {
  readonly rowId: number
  readonly accountId: number
}

/** Make a new link searchable, in the transaction that saves it. */
export async function addLinkText(
  tx: Tx,
  link: KeptLink & { readonly shortCode: string },
): Promise<void> {
  await keep(tx, link, [link.shortCode])
}

/** Make a link searchable by its new text, in the transaction that changes it. */
export async function renewLinkText(tx: Tx, link: KeptLink): Promise<void> {
  const codes = await tx
    .selectFrom('short_codes')
    .select('code')
    .where('link_id', '=', link.rowId)
    .orderBy('created_at')
    .execute()
  await keep(
    tx,
    link,
    codes.map(({ code }) => code),
  )
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

async function keep(tx: Tx, link: KeptLink, codes: readonly string[]): Promise<void> {
  const { accountId, rowId } = link
  await upsert(tx, { account_id: accountId, link_id: rowId, text: textOf(link, codes) })
}

const upsert = compileOnce((db: Database, row: Places<LinkTextsTable>) =>
  db
    .insertInto('link_texts')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['account_id', 'link_id']).doUpdateSet({ text: row.text }),
    ),
)
