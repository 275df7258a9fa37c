import { PNG } from 'pngjs'
import { UserError } from '../core/lib/user-error.ts'

/** A picture that is made of squares, such as a code for cameras. */
interface Squares {
  /** How many there are in a row. */
  readonly across: number
  readonly down: number
  isDark(column: number, row: number): boolean
}

/** Cameras need as many light squares around a code. */
const margin = 4

/** Black on white, whatever the colours of the terminal are. */
const onWhite = (line: string) => `\u001b[30;107m${line}\u001b[0m`

/** Draws a PNG file of squares in two colours, two rows of them in each line. */
export function drawImage(png: Buffer, width: number): readonly string[] {
  const { across, down, isDark } = squaresOf(PNG.sync.read(png))
  if (across + 2 * margin > width) {
    throw new UserError('This terminal is too narrow to draw it: name a file with --output.')
  }
  const lines: string[] = []
  for (let row = -margin; row < down + margin; row += 2) {
    let line = ''
    for (let column = -margin; column < across + margin; column += 1) {
      const above = isDark(column, row)
      const below = isDark(column, row + 1)
      line += above ? (below ? '█' : '▀') : below ? '▄' : ' '
    }
    lines.push(onWhite(line))
  }
  return lines
}

/** Without what is light around it. */
function squaresOf({ data, width, height }: PNG): Squares {
  const dark = new Uint8Array(width * height).map((_, pixel) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(pixel * 4, pixel * 4 + 4)
    return alpha > 127 && red * 0.299 + green * 0.587 + blue * 0.114 < 128 ? 1 : 0
  })
  const rows = Array.from({ length: height }, (_, y) => dark.subarray(y * width, (y + 1) * width))
  const top = rows.findIndex(row => row.includes(1))
  const bottom = rows.findLastIndex(row => row.includes(1))
  const lefts = rows.map(row => row.indexOf(1)).filter(x => x >= 0)
  const rights = rows.map(row => row.lastIndexOf(1))
  const left = Math.min(...lefts)
  const right = Math.max(...rights)
  if (top === -1) return { across: 0, down: 0, isDark: () => false }
  const side = sideOf(rows.slice(top, bottom + 1).map(row => row.subarray(left, right + 1)))
  const middle = Math.floor(side / 2)
  const across = (right + 1 - left) / side
  const down = Math.ceil((bottom + 1 - top) / side)
  return {
    across,
    down,
    isDark: (column, row) =>
      column >= 0 &&
      column < across &&
      rows[top + row * side + middle]?.[left + column * side + middle] === 1 &&
      row >= 0,
  }
}

/** How many pixels wide a square is: all runs of one colour are a multiple of that. */
function sideOf(rows: readonly Uint8Array[]): number {
  let side = 0
  for (const row of rows) {
    let from = 0
    for (let x = 1; x <= row.length; x += 1) {
      if (x < row.length && row[x] === row[x - 1]) continue
      side = divisor(side, x - from)
      from = x
    }
  }
  return Math.max(side, 1)
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other)
}
