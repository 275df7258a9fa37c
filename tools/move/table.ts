import { createHash } from 'node:crypto'
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { settingsKey, versionKey } from '../../core/storage/meta.ts'

export type Row = Readonly<Record<string, unknown>>
export type AnyTables = Record<string, Record<string, unknown>>

/** A table that is read and written in the order of its key. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of its primary key; if there are none, it is read in one go. */
  readonly key: readonly string[]
}

/** The values of a row in the columns of the key. */
export type Key = readonly unknown[]

/** Rows after one key, up to and including another; without `upTo`, to the last row. */
export interface Range {
  readonly after?: Key | undefined
  readonly upTo?: Key | undefined
}

export function keyOf({ key }: Table, row: Row): Key {
  return key.map(column => row[column])
}

/** The rows of a range in the order of the key, at most `most` of them. */
export async function readRows(
  db: Kysely<AnyTables>,
  table: Table,
  range: Range,
  most?: number,
): Promise<readonly Row[]> {
  const { name, columns, key } = table
  let rows = within(db.selectFrom(name).select([...columns]), table, range)
  for (const column of key) rows = rows.orderBy(column)
  return (most === undefined ? rows : rows.limit(most)).execute()
}

export async function countRows(db: Kysely<AnyTables>, table: Table): Promise<number> {
  const { count } = await within(db.selectFrom(table.name), table, {})
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function writeRows(
  db: Kysely<AnyTables>,
  { name, columns }: Table,
  rows: readonly Row[],
): Promise<void> {
  const atOnce = rowsAtOnce(columns.length)
  for (let first = 0; first < rows.length; first += atOnce) {
    await db
      .insertInto(name)
      .values(rows.slice(first, first + atOnce))
      .execute()
  }
}

/** How many placeholders one statement may have: SQLite allows 32,766, and PostgreSQL twice that. */
const placesAtOnce = 20_000

/** How many rows with this many columns one statement writes. */
export function rowsAtOnce(columns: number): number {
  return Math.max(1, Math.floor(placesAtOnce / columns))
}

export async function deleteRows(db: Kysely<AnyTables>, table: Table, range: Range): Promise<void> {
  const condition = conditionOf(table, range)
  await db.deleteFrom(table.name).where(condition).execute()
}

/**
 * A digest of the content of rows in any order: the same rows have the same digest, whichever database they come
 * from.
 */
export function digestOf({ columns }: Table, rows: readonly Row[]): string {
  const texts = rows.map(row => JSON.stringify(columns.map(column => plain(row[column]))))
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex')
}

/** Roughly how many bytes a row takes in memory. */
export function bytesOf(row: Row): number {
  return Object.values(row).reduce<number>((bytes, value) => {
    const isLong = typeof value === 'string' || value instanceof Uint8Array
    return bytes + (isLong ? value.length : 8)
  }, 0)
}

/** PostgreSQL stores no NUL in a text; see `postgres-clients.ts`. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
}

function within<O>(
  rows: SelectQueryBuilder<AnyTables, string, O>,
  table: Table,
  range: Range,
): SelectQueryBuilder<AnyTables, string, O> {
  return rows.where(conditionOf(table, range))
}

function conditionOf({ name, key }: Table, { after, upTo }: Range) {
  return (eb: ExpressionBuilder<AnyTables, string>) =>
    eb.and([
      ...(after ? [sql<boolean>`${columnsOf(key)} > ${valuesOf(after)}`] : []),
      ...(upTo ? [sql<boolean>`${columnsOf(key)} <= ${valuesOf(upTo)}`] : []),
      ...(name === 'meta' ? [eb('key', 'not in', [...keptApart])] : []),
    ])
}

/** What each kind of database keeps in its own way. */
const keptApart = [versionKey, settingsKey]

const columnsOf = (key: readonly string[]) => sql`(${sql.join(key.map(it => sql.ref(it)))})`
const valuesOf = (key: Key) => sql`(${sql.join(key)})`
