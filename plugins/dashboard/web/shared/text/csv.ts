/** A table as text, RFC 4180: what we write spreadsheets open, and what they write we read. */

const byteOrderMark = '\ufeff'

/** What spreadsheets take for the beginning of a formula, also behind the apostrophes of before. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/**
 * Rows of cells as CSV, without a byte order mark. A text that a spreadsheet would take for a formula gets an
 * apostrophe before it: https://owasp.org/www-community/attacks/CSV_Injection.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `${cells.map(writeCell).join(',')}\r\n`).join('')
}

/** The beginning of a CSV file: without it Excel takes UTF-8 for something else. */
export const csvStart = byteOrderMark

function writeCell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$|^$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The rows of a CSV file, whatever ends its lines and parts its cells (comma, semicolon or tab). Empty lines are
 * left out, and apostrophes before what would be a formula. Quotes that nothing closes end with the text.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const plain = text.startsWith(byteOrderMark) ? text.slice(1) : text
  const comma = separatorOf(plain)
  // A cell in quotes or without, and what ends it.
  const cell = new RegExp(
    `(?:"((?:[^"]+|"")*)(?:"|$)([^${comma}\r\n]*)|([^${comma}\r\n]*))(${comma}|\r\n|[\r\n]|$)`,
    'y',
  )
  const rows: string[][] = []
  let row: string[] = []
  while (cell.lastIndex < plain.length || row.length > 0) {
    const [all, quoted, after = '', bare = '', end] = cell.exec(plain) ?? []
    row.push(readCell(quoted === undefined ? bare : quoted.replaceAll('""', '"') + after))
    if (end !== comma) {
      if (row.length > 1 || quoted !== undefined || bare !== '') rows.push(row)
      row = []
    }
    if (all === undefined || (end === '' && cell.lastIndex >= plain.length)) break
  }
  return rows
}

function readCell(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** What parts the cells: whichever there is most of in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"(?:[^"]+|"")*"/g, '').split(/[\r\n]/, 1)
  const count = (it: string) => line.split(it).length
  return [',', ';', '\t'].reduce((best, it) => (count(it) > count(best) ? it : best))
}
