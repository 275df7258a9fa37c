/** Tables as CSV (RFC 4180): spreadsheets open what this writes, and it reads what they write. */

const byteOrderMark = '\ufeff'

/** What spreadsheets take for the start of a formula, also after spaces, and apostrophes from an earlier export. */
const formula = /^'*(\s*[=+\-@＝＋－＠]|[\t\r\n])/

/** The same inside a cell, where a spreadsheet with another separator begins a new one. */
const formulaInside = /([",;|\t\r\n])('*[=+\-@＝＋－＠])/g
const apostropheInside = /([",;|\t\r\n])'('*[=+\-@＝＋－＠])/g

/**
 * Rows of cells as CSV, without a byte order mark. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front: https://owasp.org/www-community/attacks/CSV_Injection.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `${cells.map(writeCell).join(',')}\r\n`).join('')
}

/** The start of a CSV file: without it Excel misreads UTF-8. */
export const csvStart = byteOrderMark

function writeCell(text: string): string {
  const inside = text.replace(formulaInside, "$1'$2")
  const harmless = formula.test(inside) ? `'${inside}` : inside
  return /[",;\t\r\n]|^\s|\s$|^$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The rows of a CSV file with any line endings and any separator (comma, semicolon or tab). Skips empty lines,
 * and removes the apostrophes in front of formulas. An unclosed quote ends with the text.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const plain = text.startsWith(byteOrderMark) ? text.slice(1) : text
  const comma = separatorOf(plain)
  // A quoted or unquoted cell, and what ends it.
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)(?:"|$)([^${comma}\r\n]*)|([^${comma}\r\n]*))(${comma}|\r\n|[\r\n]|$)`,
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
  const whole = text.startsWith("'") && formula.test(text) ? text.slice(1) : text
  return whole.replace(apostropheInside, '$1$2')
}

/** The separator of the cells: whichever is most frequent in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const count = (it: string) => line.split(it).length
  return [',', ';', '\t'].reduce((best, it) => (count(it) > count(best) ? it : best))
}
