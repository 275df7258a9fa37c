import { UserError } from '../../core/lib/user-error.ts'
import { inTransaction } from '../../core/storage/database.ts'
import { anyTablesOf, type End, type Source, type Target } from './ends.ts'
import { progressIn } from './progress.ts'
import {
  bytesOf,
  deleteRows,
  digestOf,
  type Key,
  keyOf,
  type Range,
  type Row,
  readRows,
  rowsAtOnce,
  type Table,
  writeRows,
} from './table.ts'

/** How much is in memory and in one transaction, in bytes. */
const bytesAtOnce = 4e6

interface Ends {
  readonly source: Source
  readonly target: Target
}

/** Copies the rows that are not copied yet. `copied` is called with how many. */
export async function copyTable(
  { source, target }: Ends,
  table: Table,
  copied: (rows: number) => void,
): Promise<void> {
  const from = await progressIn(target.db).reached(table.name)
  if (from === 'end') return
  for await (const { rows, upTo } of chunksOf(source, table, from)) {
    await inTransaction(target.db, async tx => {
      await writeRows(anyTablesOf(tx), table, rows)
      await progressIn(tx).reach(table.name, upTo ?? 'end')
    })
    copied(rows.length)
  }
}

/**
 * Compares all rows of a table, range by range, and copies a range again if it differs: its source may have been in
 * use between two attempts. Returns the number of rows.
 */
export async function compareTable(
  { source, target }: Ends,
  table: Table,
  compared: (rows: number) => void,
): Promise<number> {
  let count = 0
  for await (const { rows, ...range } of chunksOf(source, table)) {
    const isSame = () => hasRows(target, table, { rows, ...range })
    if (!(await isSame())) {
      await inTransaction(target.db, async tx => {
        await deleteRows(anyTablesOf(tx), table, range)
        await writeRows(anyTablesOf(tx), table, rows)
      })
      if (!(await isSame())) {
        throw new UserError(
          `Rows of ${table.name} are not the same after they were copied. The database that was moved is unchanged: keep using it.`,
        )
      }
    }
    compared(rows.length)
    count += rows.length
  }
  return count
}

/** Whether a table has the same rows in both databases. */
export async function isSameTable(source: Source, target: End, table: Table): Promise<boolean> {
  for await (const chunk of chunksOf(source, table)) {
    if (!(await hasRows(target, table, chunk))) return false
  }
  return true
}

interface Chunk extends Range {
  readonly rows: readonly Row[]
}

async function hasRows({ db }: End, table: Table, { rows, ...range }: Chunk): Promise<boolean> {
  const there = await readRows(anyTablesOf(db), table, range)
  return digestOf(table, there) === digestOf(table, rows)
}

/** All rows of a table after a key, in chunks; the last chunk has no end, and may be empty. */
async function* chunksOf(source: Source, table: Table, from?: Key): AsyncGenerator<Chunk> {
  const db = anyTablesOf(source.db)
  const most = rowsAtOnce(table.columns.length)
  let size = table.key.length > 0 ? 16 : undefined
  let after = from
  for (;;) {
    const rows = await readRows(db, table, { after }, size)
    const last = rows.at(-1)
    const isEnd = size === undefined || rows.length < size || last === undefined
    const upTo = isEnd ? undefined : keyOf(table, last)
    yield { rows, after, upTo }
    if (isEnd || size === undefined) return
    after = upTo
    const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
    const fitting = Math.floor((bytesAtOnce * rows.length) / Math.max(1, bytes))
    size = Math.max(1, Math.min(most, 2 * size, fitting))
  }
}
