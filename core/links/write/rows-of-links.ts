import type { Kysely } from 'kysely'
import type { Tx } from '../../storage/database.ts'
import { type ForeignKey, readForeignKeys } from '../../storage/foreign-keys.ts'

/** Rows of other tables that refer to a link, by table: those of plugins, and the core's totals. */
export type RowsOfLink = Readonly<Record<string, readonly Row[]>>

type Row = Readonly<Record<string, unknown>>

/** More rows than this of one link are not kept: a plugin may have one for each visit. */
const maxRows = 10_000

/** Codes have a table that knows of links that are gone. */
const others = ['short_codes']

/** Reads the rows that go with a link when it is deleted; undefined if they are too many to keep. */
export async function readRowsOfLink(tx: Tx, rowId: number): Promise<RowsOfLink | undefined> {
  const rows: Record<string, readonly Row[]> = {}
  let left = maxRows
  for (const { table, column } of (await readForeignKeys(tx)).filter(refersToLinks)) {
    const found = await anyTable(tx)
      .selectFrom(table)
      .selectAll()
      .where(column, '=', rowId)
      .limit(left + 1)
      .execute()
    left -= found.length
    if (left < 0) return undefined
    if (found.length > 0) rows[table] = found
  }
  return rows
}

/**
 * Writes them again, in the transaction that restores the link. Left out are rows that refer to something else that is gone by
 * then, rows that would be there twice, and what has no table or column any more.
 */
export async function writeRowsOfLink(tx: Tx, rows: RowsOfLink): Promise<void> {
  const keys = await readForeignKeys(tx)
  const tables = new Map(
    (await tx.introspection.getTables()).map(({ name, columns }) => [
      name,
      new Set(columns.map(it => it.name)),
    ]),
  )
  for (const [table, ofTable] of Object.entries(rows)) {
    const ownKeys = keys.filter(key => key.table === table)
    if (!ownKeys.some(refersToLinks)) continue
    const columns = tables.get(table)
    for (const row of ofTable) {
      const known = Object.entries(row).filter(([name]) => columns?.has(name))
      if (known.length === 0 || !(await hasAll(tx, row, ownKeys))) continue
      await anyTable(tx)
        .insertInto(table)
        .values(Object.fromEntries(known))
        .onConflict(conflict => conflict.doNothing())
        .execute()
    }
  }
}

function refersToLinks({ table, toTable }: ForeignKey): boolean {
  return toTable === 'links' && !others.includes(table)
}

/** Tables that no type of ours knows. */
function anyTable(tx: Tx): Kysely<Record<string, Record<string, unknown>>> {
  return tx as unknown as Kysely<Record<string, Record<string, unknown>>>
}

/** Whether everything is there that a row refers to. */
async function hasAll(tx: Tx, row: Row, keys: readonly ForeignKey[]): Promise<boolean> {
  for (const { column, toTable, toColumn } of keys) {
    const value = row[column]
    if (value === null || value === undefined) continue
    const found = await anyTable(tx)
      .selectFrom(toTable)
      .select(toColumn)
      .where(toColumn, '=', value)
      .executeTakeFirst()
    if (!found) return false
  }
  return true
}

/** Rows as JSON. Bytes are a text in an object. */
export function packRows(rows: RowsOfLink): string {
  const packed = Object.entries(rows).map(([table, ofTable]) => [
    table,
    ofTable.map(row =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, packValue(value)])),
    ),
  ])
  return JSON.stringify(Object.fromEntries(packed))
}

function packValue(value: unknown): unknown {
  return value instanceof Uint8Array ? ['base64', Buffer.from(value).toString('base64')] : value
}

/** The rows that `packRows` packed. */
export function unpackRows(text: string): RowsOfLink {
  return JSON.parse(text, (_, value) => {
    // No column has a list.
    return Array.isArray(value) && value[0] === 'base64' ? Buffer.from(value[1], 'base64') : value
  }) as RowsOfLink
}
