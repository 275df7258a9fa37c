import { sql } from 'kysely'
import { type CollectionRows, type Context, refuse } from '../../core/plugin.ts'
import { foldName, searchSchema } from './name-and-color.ts'

/** A row with a name that no other row of its account has, in upper or lower case. */
export interface NamedRow {
  readonly id: number
  readonly name: string
}

/** A row of a tag or a campaign: something that links are put into. Moments in ms since 1970 UTC. */
export interface Thing extends NamedRow {
  readonly color: string
  readonly created_at: number
  readonly updated_at: number
  /** How many links are in it. */
  readonly links_count: number
}

/** The parts of a collection whose rows have names. `word` is what one is called, such as `tag`. */
export function byName(word: string) {
  const refusal = refuse('name_taken', `You already have a ${word} with this name.`, 409, 'name')
  return { order: { by: ['folded_name'] }, unique: { columns: ['folded_name'], refusal } }
}

/** The columns of a name; none if it stays as it is. */
export function namedColumns(name: string | undefined) {
  return name === undefined ? {} : { name, folded_name: foldName(name) }
}

/** The filter of a list by a part of the name, in upper or lower case. */
export const searchByName = {
  query: { search: searchSchema },
  where(rows: CollectionRows, { search }: { readonly search?: string | undefined }) {
    if (search === undefined) return rows
    const pattern = `%${foldName(search).replace(/[\\%_]/g, '\\$&')}%`
    return rows.where(sql<boolean>`${sql.ref('folded_name')} like ${pattern} escape '\\'`)
  },
}

/**
 * The rows of a table with the number of links in each. `linksTable` says which links are in which row, by its column
 * `linksKey`.
 */
export function withLinksCount(
  db: Context['db'],
  { table, linksTable, linksKey }: Readonly<Record<'table' | 'linksTable' | 'linksKey', string>>,
): CollectionRows {
  return db
    .selectFrom(table)
    .selectAll(table)
    .select(({ selectFrom }) =>
      selectFrom(linksTable)
        .whereRef(`${linksTable}.${linksKey}`, '=', `${table}.id`)
        .select(({ fn }) => fn.countAll().as('links'))
        .as('links_count'),
    )
}
