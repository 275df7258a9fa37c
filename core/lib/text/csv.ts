/** What a cell can be; null is an empty one. */
export type Cell = string | number | null

/**
 * A table as CSV, RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe before it, also
 * if it is in full width: https://owasp.org/www-community/attacks/CSV_Injection. The file begins with a byte
 * order mark, without which Excel takes UTF-8 for something else.
 */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map(cells => cells.map(textOf).join(','))
  return `\ufeff${lines.join('\r\n')}\r\n`
}

function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
