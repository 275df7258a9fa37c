import type { Context } from '../../../../core/plugin.ts'
import { digestOf, type Run } from '../runs/run.ts'
import type { LinkItem } from '../source.ts'

type Db = Context['db']

const table = 'organization_imports_items'

/**
 * `pending`: about to be made, so that it may be here. `made`: by an import. `foreign`: here already, and by no import of this
 * source, so that its visits are none of ours.
 */
export type ItemState = 'pending' | 'made' | 'foreign' | 'refused'

/** What became of a link of the source. */
export interface ItemRow {
  readonly sourceId: string
  readonly digest: string
  readonly accountId: number
  readonly state: ItemState
  /** Public id. */
  readonly link: string | null
  readonly visits: number
  readonly lastVisitAt: number | null
}

/** Of all that says which link it is: if any of it changes in the source, it is another one. */
export function digestOfLink(source: string, { id, host, code, fields }: LinkItem): string {
  return digestOf(source, id, host, code, fields.originalUrl)
}

/** Those of these ids that this import has met. */
export async function metItems(
  db: Db,
  run: Pick<Run, 'id'>,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, ItemRow>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('import_id', '=', run.id)
    .where('source_id', 'in', [...new Set(sourceIds)])
    .execute()
  return new Map(rows.map(row => [row.source_id, readItem(row)]))
}

/** The links that earlier imports made of these, by account and digest. */
export async function earlierLinks(
  db: Db,
  run: Pick<Run, 'id'>,
  digests: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (digests.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .select(['account_id', 'digest', 'link'])
    .where('digest', 'in', digests)
    .where('state', '=', 'made')
    .where('import_id', '!=', run.id)
    .execute()
  return new Map(rows.map(row => [`${Number(row.account_id)} ${row.digest}`, row.link]))
}

/** Writes what became of links. What is known of their counts stays. */
export async function writeItems(
  db: Db,
  { id, pass }: Pick<Run, 'id' | 'pass'>,
  items: readonly ItemRow[],
): Promise<void> {
  if (items.length === 0) return
  const rows = items.map(item => ({ ...columnsOf(item), import_id: id, dated: 0, pass }))
  await db
    .insertInto(table)
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['import_id', 'source_id'])
        .doUpdateSet(({ ref }: { ref(column: string): never }) => ({
          state: ref('excluded.state'),
          link: ref('excluded.link'),
        })),
    )
    .execute()
}

/** Adds to the sums of counts that were read in this pass, in one statement: redirects wait for each. */
export async function addDated(
  db: Db,
  { id, pass }: Pick<Run, 'id' | 'pass'>,
  sums: readonly { readonly item: ItemRow; readonly visits: number }[],
): Promise<void> {
  if (sums.length === 0) return
  await db
    .insertInto(table)
    .values(
      sums.map(({ item, visits }) => ({ ...columnsOf(item), import_id: id, dated: visits, pass })),
    )
    .onConflict(conflict =>
      conflict.columns(['import_id', 'source_id']).doUpdateSet(eb => ({
        dated: eb
          .case()
          .when(`${table}.pass`, '=', pass)
          .then(eb(`${table}.dated`, '+', eb.ref('excluded.dated')))
          .else(eb.ref('excluded.dated'))
          .end(),
        pass,
      })),
    )
    .execute()
}

function columnsOf({ sourceId, digest, accountId, state, link, visits, lastVisitAt }: ItemRow) {
  return {
    ...{ source_id: sourceId, digest, account_id: accountId, state, link, visits },
    last_visit_at: lastVisitAt,
  }
}

/** A link whose counts are fewer than its visits. */
export interface Rest {
  readonly sourceId: string
  readonly accountId: number
  readonly link: string
  readonly undated: number
  readonly lastVisitAt: number | null
}

/** Links with visits that no counts have, after a source id, some at a time. */
export async function restsAfter(
  db: Db,
  { id, pass }: Pick<Run, 'id' | 'pass'>,
  after: string,
  limit: number,
): Promise<{ readonly rests: readonly Rest[]; readonly last: string | undefined }> {
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('import_id', '=', id)
    .where('source_id', '>', after)
    .where('state', '=', 'made')
    .where('visits', '>', 0)
    .orderBy('source_id')
    .limit(limit)
    .execute()
  const rests = rows.flatMap(row => {
    const dated = Number(row.pass) === pass ? Number(row.dated) : 0
    const undated = Number(row.visits) - dated
    if (undated <= 0 || row.link === null) return []
    const { sourceId, accountId, lastVisitAt } = readItem(row)
    return [{ sourceId, accountId, link: String(row.link), undated, lastVisitAt }]
  })
  return { rests, last: rows.at(-1)?.source_id }
}

/** The public ids of all links that this import made. */
export async function madeLinks(db: Db, run: Pick<Run, 'id'>): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom(table)
    .select('link')
    .where('import_id', '=', run.id)
    .where('state', '=', 'made')
    .execute()
  return new Set(rows.map(({ link }) => link))
}

function readItem(row: Readonly<Record<string, unknown>>): ItemRow {
  return {
    sourceId: String(row.source_id),
    digest: String(row.digest),
    accountId: Number(row.account_id),
    state: row.state as ItemState,
    link: row.link === null ? null : String(row.link),
    visits: Number(row.visits),
    lastVisitAt: row.last_visit_at === null ? null : Number(row.last_visit_at),
  }
}
