import { domainToUnicode } from 'node:url'
import { compileOnce, type Places } from '../lib/compile-once.ts'
import { foldText } from '../lib/text/normal-form.ts'
import { type Database, type Steps, step, type Tx } from '../storage/database.ts'
import { asJson, type Columns, namesOf, rowsOf } from '../storage/json-rows.ts'
import type { LinkTextsTable } from '../storage/schema.ts'
import { afterHosts } from './codes/code-rules.ts'

/** The parts of a link that are searched. */
interface SearchedLink {
  readonly originalUrl: string
  readonly title: string | null
  readonly notes: string | null
}

/**
 * The text that a link is found by, folded: its codes, its address as stored and as people type it, title and
 * notes.
 */
function textOf({ originalUrl, title, notes }: SearchedLink, codes: readonly string[]): string {
  const address = typed(originalUrl)
  const texts = [...codes, originalUrl, address === originalUrl ? null : address, title, notes]
  return foldText(texts.filter(text => text !== null && text !== '').join('\n'))
}

/**
 * The words of a search, folded; a link must have all of them. The longest come first, because few links have
 * them. The scheme of an address is left out, because it says nothing.
 */
export function wordsOf(search: string): readonly string[] {
  const words = foldText(search)
    .split(/\s+/)
    .map(word => word.replace(/^HTTPS?:\/\/(?=.)/, ''))
    .filter(word => word !== '')
  return [...new Set(words)].sort((a, b) => b.length - a.length)
}

/** `https://xn--r8jz45g.jp/%C3%BC` -> `https://例え.jp/ü` */
function typed(url: string): string {
  if (!isEscaped.test(url)) return url
  return url
    .replace(/(?:%[\da-f]{2})+/gi, decoded)
    .replace(/^(https?:\/\/)([^/:?#]+)/, (_, scheme, host) => scheme + domainToUnicode(host))
}

const isEscaped = /%|xn--/

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    // Not UTF-8: nobody could have typed it.
    return escapes
  }
}

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
    .where('domain', '<', afterHosts)
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
