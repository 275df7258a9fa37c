/** What a cell can be; null is an empty one. */
export type Cell = string | number | null

/**
 * A table as CSV, RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe before it, also
 * after spaces, in full width, or inside a cell that a spreadsheet with another separator would split there:
 * https://owasp.org/www-community/attacks/CSV_Injection. The file begins with a byte
 * order mark, without which Excel takes UTF-8 for something else.
 *
 * @example
 * csvOf(['title', 'visits'], [['=1+1', 3]]).includes("'=1+1,3") // true
 */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map(cells => cells.map(textOf).join(','))
  return `\ufeff${lines.join('\r\n')}\r\n`
}

function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const inside = cell.replace(/([",;|\t\r\n])([=+\-@＝＋－＠])/g, "$1'$2")
  const harmless = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(inside) ? `'${inside}` : inside
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
