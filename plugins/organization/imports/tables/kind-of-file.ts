import { SourceError, type SourceFile } from '../source.ts'
import type { Dialect } from './sql-tokens.ts'

const enough = 65_536

/** The first bytes of a file, as far as they tell what it is. */
export async function startOf(file: SourceFile): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of file.read()) {
    parts.push(part)
    bytes += part.length
    if (bytes >= enough) break
  }
  return Buffer.concat(parts).subarray(0, enough)
}

export function isSqlite(start: Buffer): boolean {
  return start.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'
}

/** In which dialect a dump is written. Throws a sentence for what is no dump of SQL. */
export function dialectOf(start: Buffer): Dialect {
  if (start.length === 0) throw new SourceError('The file is empty.')
  if (isWide(start)) {
    throw new SourceError(
      'The file is in UTF-16, as PowerShell writes with >. Make the dump with the option --result-file=dump.sql, or --file for pg_dump.',
    )
  }
  const isTar = start.subarray(257, 262).toString('latin1') === 'ustar'
  if (isTar && !start.toString('latin1').startsWith('toc.dat')) {
    throw new SourceError('The file is a tar archive. Unpack it, and take the dump in it.')
  }
  if (isTar || start.subarray(0, 5).toString('latin1') === 'PGDMP') {
    throw new SourceError(
      'The file is an archive of pg_dump. Make text of it: pg_restore --file=dump.sql ARCHIVE.',
    )
  }
  if (start.includes(0) && !/\b(INSERT|CREATE|COPY)\b/i.test(start.toString('latin1'))) {
    throw new SourceError('The file is neither a dump of SQL nor a database of SQLite.')
  }
  const text = start.toString('latin1')
  if (ofStandard.test(text)) return 'standard'
  return ofMysql.test(text) ? 'mysql' : 'standard'
}

/** What only PostgreSQL and SQLite write. Kutt names tables of SQLite as MySQL does. */
const ofStandard =
  /^-- .*PostgreSQL|pg_catalog|standard_conforming_strings|^COPY .+ FROM stdin;|^PRAGMA foreign_keys/im
/** What only MySQL and MariaDB write; of a dump with nothing but rows, quotes that are escaped. */
const ofMysql =
  /^-- .*(MySQL|MariaDB|phpMyAdmin|HeidiSQL)|^\/\*[M!]|\b(TABLE|INTO|EXISTS) `|\) ENGINE=|\bAUTO_INCREMENT\b|\\'/im

/** UTF-16, with its mark or by the zeros that its letters have. */
function isWide(start: Buffer): boolean {
  const [first = 32, second = 32] = start
  const mark = first * 256 + second
  return mark === 0xfeff || mark === 0xfffe || (first === 0) !== (second === 0)
}

/** Whether a file is a table of text rather than a database or a dump. */
export async function isCsv(file: SourceFile): Promise<boolean> {
  const start = await startOf(file)
  if (start.length === 0 || isSqlite(start) || start.includes(0)) return false
  const [line = ''] = start.toString().split(/\r?\n/)
  return (
    /[,;\t|]/.test(line) &&
    !/^\s*(--|\/\*|#|(INSERT|CREATE|SET|COPY|DROP|USE|BEGIN|PRAGMA)\b)/i.test(line)
  )
}
