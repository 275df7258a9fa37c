import type { Context } from '../../../../core/plugin.ts'
import { digestOf } from '../digest.ts'
import { type Run, runsTable } from '../runs/run.ts'
import type { LinkItem } from '../source.ts'
import { type GivenRow, givenRows, givenTexts } from './given-rows.ts'

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
  /** How many visits earlier imports brought it; null if none did. */
  readonly before: number | null
  /** How many this one brought it, if earlier ones did. */
  readonly added: number
  /** How many visits came when it was made. */
  readonly dated: number
  /** How many it has from imports, once none is missing. */
  readonly brought: number | null
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
    .where('source_id', 'in', givenTexts(sourceIds))
    .execute()
  return new Map(rows.map(row => [row.source_id, readItem(row)]))
}

/** A link that earlier imports made, and how many visits they had brought in the end. */
export interface Earlier {
  readonly link: string
  readonly brought: number | null
  /** How many of them had a date, and when the last import that brought them began: it has all visits up to then. */
  readonly dated: number
  readonly at: number
}

/** The links that earlier imports made of these, by account and digest. */
export async function earlierLinks(
  db: Db,
  run: Pick<Run, 'id'>,
  digests: readonly string[],
): Promise<ReadonlyMap<string, Earlier>> {
  if (digests.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .innerJoin(runsTable, `${runsTable}.id`, `${table}.import_id`)
    .select([`${table}.account_id`, 'digest', 'link', 'brought', 'dated', 'started_at'])
    .where('digest', 'in', givenTexts(digests))
    .where(`${table}.state`, '=', 'made')
    .where('import_id', '!=', run.id)
    .execute()
  const found = new Map<string, Earlier>()
  for (const row of rows) {
    const key = `${Number(row.account_id)} ${row.digest}`
    const before = found.get(key)
    if (before && row.brought === null) continue
    const brought = row.brought === null ? null : Number(row.brought)
    const isMore = (brought ?? 0) > (before?.brought ?? -1)
    found.set(key, {
      ...(before && !isMore ? before : { link: row.link, brought }),
      dated: Math.max(before?.dated ?? 0, Number(row.dated)),
      at: Math.max(before?.at ?? 0, Number(row.started_at)),
    })
  }
  return found
}

/** Writes what became of links, none of whose counts was read before in this pass. */
export async function writeItems(
  db: Db,
  { id, pass }: Pick<Run, 'id' | 'pass'>,
  items: readonly ItemRow[],
): Promise<void> {
  if (items.length === 0) return
  const rows = items.map(item => ({ ...columnsOf(item), import_id: id, pass }))
  const changing = ['state', 'link', 'before', 'dated', 'pass', 'brought']
  await insertInto(db, rows)
    .onConflict(conflict =>
      conflict
        .columns(['import_id', 'source_id'])
        .doUpdateSet(({ ref }: { ref(column: string): never }) =>
          Object.fromEntries(changing.map(name => [name, ref(`excluded.${name}`)])),
        ),
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
  const rows = sums.map(({ item, visits }) => ({
    ...{ ...columnsOf(item), import_id: id, dated: visits, pass },
  }))
  await insertInto(db, rows)
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

/** Adds to what this import has brought to links of earlier ones; takes it away where that had come before. */
export async function addBrought(
  db: Db,
  { id }: Pick<Run, 'id'>,
  sums: readonly { readonly sourceId: string; readonly visits: number }[],
): Promise<void> {
  for (const { sourceId, visits } of sums) {
    await db
      .updateTable(table)
      .set(({ eb }: { eb: (column: string, operator: '+', value: number) => never }) => ({
        added: eb('added', '+', visits),
      }))
      .where('import_id', '=', id)
      .where('source_id', '=', sourceId)
      .execute()
  }
}

/** Notes how many visits links have had from imports in the end. */
export async function noteBrought(
  db: Db,
  { id }: Pick<Run, 'id'>,
  all: readonly { readonly item: ItemRow; readonly brought: number }[],
): Promise<void> {
  if (all.length === 0) return
  const rows = all.map(({ item, brought }) => ({
    ...{ ...columnsOf(item), import_id: id, pass: 0, brought },
  }))
  await insertInto(db, rows)
    .onConflict(conflict =>
      conflict
        .columns(['import_id', 'source_id'])
        .doUpdateSet(({ ref }: { ref(column: string): never }) => ({
          brought: ref('excluded.brought'),
        })),
    )
    .execute()
}

const columns = {
  texts: ['source_id', 'digest', 'state', 'link'],
  numbers: [
    'account_id',
    'visits',
    'before',
    'last_visit_at',
    'import_id',
    'dated',
    'pass',
    'brought',
  ],
}

function insertInto(db: Db, rows: readonly GivenRow[]) {
  return db
    .insertInto(table)
    .columns([...columns.texts, ...columns.numbers])
    .expression(givenRows(rows, columns))
}

function columnsOf(item: ItemRow) {
  const { sourceId, digest, accountId, state, link, lastVisitAt } = item
  const { visits, before, dated, brought } = item
  return {
    ...{ source_id: sourceId, digest, account_id: accountId, state, link },
    ...{ visits, before, dated, brought, last_visit_at: lastVisitAt },
  }
}

/** A link and how many visits are missing that no counts have. */
export interface Rest {
  readonly item: ItemRow
  readonly link: string
  readonly undated: number
  /** How many visits it will have had from imports. */
  readonly brought: number
}

/** Links some of whose visits are missing, after a source id, some at a time. */
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
    .where('brought', 'is', null)
    .orderBy('source_id')
    .limit(limit)
    .execute()
  const rests = rows.flatMap(row => {
    const item = readItem(row)
    if (item.link === null) return []
    const dated = Number(row.pass) === pass ? item.dated : 0
    // A source may know the days of the last weeks only, so what earlier imports brought is more than it says now.
    const came = item.before === null ? dated : item.before + item.added
    const undated = Math.max(item.visits - came, 0)
    return [{ item, link: item.link, undated, brought: came + undated }]
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
    before: row.before === null ? null : Number(row.before),
    added: Number(row.added),
    dated: Number(row.dated),
    brought: row.brought === null ? null : Number(row.brought),
  }
}
