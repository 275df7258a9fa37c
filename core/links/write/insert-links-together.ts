import { type Selectable, sql } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database, Tx } from '../../storage/database.ts'
import type { LinksTable } from '../../storage/schema.ts'
import { type Link, readLink } from '../link.ts'
import { textOf } from '../link-text.ts'

type LinkRow = Selectable<LinksTable>
/** A link that has a code, but no row number yet. */
export type LinkWithoutId = Omit<LinkRow, 'id'>

/**
 * Save new links with their codes and their texts for searching, all in one statement, so that nothing waits
 * for an earlier answer. PostgreSQL only. Undefined if some code is taken, and a rejection if two links have the
 * same: other links may then be saved, and the transaction has to be undone.
 */
export async function insertLinksTogether(
  tx: Tx,
  links: readonly LinkWithoutId[],
): Promise<readonly Link[] | undefined> {
  const { rows } = await insert(tx, { given: JSON.stringify(links.map(withText)) })
  const numbers = new Map(rows.map(row => [keyOf(row), row.id]))
  const saved = links.flatMap(link => {
    const id = numbers.get(keyOf(link))
    return id === undefined ? [] : readLink({ id, ...link })
  })
  return rows.length === links.length && saved.length === links.length ? saved : undefined
}

function withText(link: LinkWithoutId) {
  const { original_url: originalUrl, title, notes, short_code: code } = link
  return { ...link, text: textOf({ originalUrl, title, notes }, [code]) }
}

function keyOf(link: Pick<LinkRow, 'domain' | 'short_code'>): string {
  return `${link.domain} ${link.short_code}`
}

/**
 * One parameter for any number of links, so that the statement is prepared once and never has thousands of
 * placeholders.
 */
const insert = compileOnce((db: Database, { given }: Places<{ given: string }>) =>
  db
    .with(
      'given',
      () => sql<LinkWithoutId & { readonly text: string }>`
        (select * from json_to_recordset(${given}::json) as given (
          account_id bigint, domain text, short_code text, original_url text, title text, notes text,
          archived bigint, fields text, guarded_by text, version bigint,
          created_at bigint, updated_at bigint, text text))`,
    )
    .with('saved', to =>
      to
        .insertInto('links')
        .columns(columns)
        .expression(to.selectFrom('given').select(columns))
        .returning(['id', 'domain', 'short_code', 'account_id', 'created_at']),
    )
    .with('claimed', to =>
      to
        .insertInto('short_codes')
        .columns(['domain', 'code', 'link_id', 'account_id', 'created_at'])
        .expression(
          to.selectFrom('saved').select(['domain', 'short_code', 'id', 'account_id', 'created_at']),
        )
        .onConflict(conflict => conflict.columns(['domain', 'code']).doNothing())
        .returning('link_id'),
    )
    .with('found', to =>
      to
        .insertInto('link_texts')
        .columns(['account_id', 'link_id', 'text'])
        .expression(
          to
            .selectFrom('saved')
            .innerJoin('given', join =>
              join
                .onRef('given.domain', '=', 'saved.domain')
                .onRef('given.short_code', '=', 'saved.short_code'),
            )
            .select(['saved.account_id', 'saved.id', 'given.text']),
        ),
    )
    .selectFrom('claimed')
    .innerJoin('saved', 'saved.id', 'claimed.link_id')
    .select(['saved.id', 'saved.domain', 'saved.short_code']),
)

const columns = [
  ...(['account_id', 'domain', 'short_code', 'original_url', 'title', 'notes'] as const),
  ...(['archived', 'fields', 'guarded_by', 'version', 'created_at', 'updated_at'] as const),
]
