import { type FileHandle, open } from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { SourceError } from '../source.ts'

/** Thousands of columns. SQLite parses all of it in one go before the first row, in a thousand times the memory. */
const maxSchemaBytes = 256 * 1024
/** A page that is in order has more than this of it. */
const leastOnPage = 128

const damaged = 'The database of SQLite is damaged: its list of tables cannot be read.'
const tooLarge = `The tables of the database take more than ${maxSchemaBytes / 1024} KiB to describe, which those of no program do.`

/**
 * Refuses a file whose list of tables nobody should have SQLite read. It is the tree that begins on the first page, of which each
 * leaf says how long its rows are: https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export async function checkSchemaSize(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { pageSize, pages } = await readHeader(file)
    const unread = [1]
    let left = maxSchemaBytes
    for (let page = unread.pop(); page !== undefined; page = unread.pop()) {
      if (page < 1 || page > pages) throw new SourceError(damaged)
      const bytes = await readAt(file, (page - 1) * pageSize, pageSize)
      const { children, rowBytes } = readPage(bytes, page === 1 ? 100 : 0)
      left -= Math.max(rowBytes, leastOnPage)
      if (left < children.length * leastOnPage) throw new SourceError(tooLarge)
      unread.push(...children)
    }
  } finally {
    await file.close()
  }
}

async function readHeader(file: FileHandle): Promise<{ pageSize: number; pages: number }> {
  const { size } = await file.stat()
  const said = (await readAt(file, 16, 2)).readUInt16BE()
  const pageSize = said === 1 ? 65_536 : said
  if (pageSize < 512) throw new SourceError(damaged)
  return { pageSize, pages: Math.floor(size / pageSize) }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new SourceError(damaged)
  return buffer
}

/** The pages below a page of a table's tree, and how many bytes its rows have with what is on further pages. */
function readPage(page: Buffer, start: number): { children: number[]; rowBytes: number } {
  const kind = page[start]
  const cells = page.readUInt16BE(start + 3)
  const isLeaf = kind === 13
  const first = start + (isLeaf ? 8 : 12)
  if ((!isLeaf && kind !== 5) || first + 2 * cells > page.length) throw new SourceError(damaged)
  const children = isLeaf ? [] : [page.readUInt32BE(start + 8)]
  let rowBytes = 0
  for (let cell = 0; cell < cells; cell += 1) {
    const at = page.readUInt16BE(first + 2 * cell)
    if (at + 4 > page.length) throw new SourceError(damaged)
    if (isLeaf) rowBytes += readVarint(page, at)
    else children.push(page.readUInt32BE(at))
  }
  return { children, rowBytes }
}

/** Seven bits of each byte up to one below 128: longer ones than this reads are too large anyway. */
function readVarint(bytes: Buffer, at: number): number {
  let value = 0
  for (let index = at; index < at + 8; index += 1) {
    const byte = bytes[index] ?? 0
    value = value * 128 + (byte & 127)
    if (byte < 128) return value
  }
  return Number.POSITIVE_INFINITY
}

/**
 * Leaves plain tables and nothing else in a copy: no views, triggers, indexes on expressions or virtual tables, which SQLite would
 * run. It goes by the statement from which SQLite makes a table: the other columns of its list can say anything. That of a plain
 * table always begins as SQLite writes it.
 */
export function keepPlainTables(copy: string): void {
  const db = new BetterSqlite3(copy, { fileMustExist: true, timeout: 0 })
  try {
    db.unsafeMode()
    db.pragma('trusted_schema = OFF')
    db.pragma('writable_schema = ON')
    // Indexes that belong to a table have no statement.
    db.exec("DELETE FROM sqlite_schema WHERE sql NOT LIKE 'CREATE TABLE %'")
  } finally {
    db.close()
  }
}
