import { type Color, over } from './color.ts'
import { figureOf, type Piece, type Shapes } from './figure.ts'
import type { Logo } from './logo.ts'
import { holeIn, type Modules } from './modules.ts'
import { textOf, writePdf } from './pdf.ts'
import { logoGap } from './svg.ts'

/** Width and height in points, 72 per inch. */
const papers = { a4: [595.28, 841.89], letter: [612, 792] } as const

export type Paper = keyof typeof papers

export interface SheetOptions {
  readonly paper: Paper
  readonly columns: number
  readonly rows: number
}

/** A code with the text below it. */
export interface SheetCode {
  /** The outlines that are painted in the dark color, from `traceCode`. */
  readonly figure: string
  /** Its modules. */
  readonly modules: Modules
  readonly margin: number
  readonly dark: Color
  readonly light: Color
  readonly hasLogo: boolean
  readonly text: string
}

/** The margin of the paper, because few printers reach its edge. */
const edge = 28
const textHeight = 16
const largestText = 9
/** Nearly the greatest width of a letter in Helvetica, as a share of the font size. */
const letterWidth = 0.56

/** Draws codes in rows and columns, each with its text below, on as many pages as needed. */
export function drawSheet(
  codes: readonly SheetCode[],
  { paper, columns, rows }: SheetOptions,
  logo: Logo | undefined,
): Buffer {
  const [width, height] = papers[paper]
  const cell = { width: (width - 2 * edge) / columns, height: (height - 2 * edge) / rows }
  const side = Math.min(cell.width - 12, cell.height - textHeight - 12)
  const perPage = columns * rows
  const pages: string[] = []
  for (let first = 0; first < codes.length; first += perPage) {
    const drawn = codes.slice(first, first + perPage).map((code, index) => {
      const x = edge + (index % columns) * cell.width
      const y = height - edge - Math.floor(index / columns) * cell.height
      const left = x + (cell.width - side) / 2
      const top = y - (cell.height - side - textHeight) / 2
      return drawCode(code, { left, top, side }) + drawText(code.text, x, top - side, cell.width)
    })
    pages.push(drawn.join(''))
  }
  return writePdf({ width, height, title: 'QR codes', pages, image: logo && imageOf(logo) })
}

interface Position {
  readonly left: number
  readonly top: number
  readonly side: number
}

/** The outlines of a code's pieces, in modules. This is the slow part, so it is done code by code. */
export function traceCode(modules: Modules, shapes: Shapes): string {
  return figureOf(modules, shapes).map(traceOf).join('')
}

function drawCode(code: SheetCode, { left, top, side }: Position): string {
  const { figure, modules, margin, dark, light, hasLogo } = code
  const unit = side / (modules.size + 2 * margin)
  // Paper is white, and PDF needs opaque colors.
  const background = over(light, [255, 255, 255, 255])
  const start = `${margin * unit + left} ${top - margin * unit}`
  return [
    'q\n',
    `${paint(background)}${at(left)} ${at(top - side)} ${at(side)} ${at(side)} re f\n`,
    `${unit} 0 0 ${-unit} ${start} cm\n`,
    `${paint(over(dark, background))}${figure}f\n`,
    ...(hasLogo ? [drawLogo(modules)] : []),
    'Q\n',
  ].join('')
}

function drawLogo(modules: Modules): string {
  const { from, side } = holeIn(modules)
  const width = side - 2 * logoGap
  // The first row of an image is its top, but the vertical axis points the other way here.
  return `q ${width} 0 0 ${-width} ${from + logoGap} ${from + logoGap + width} cm /I Do Q\n`
}

function drawText(text: string, left: number, below: number, width: number): string {
  const size = Math.min(largestText, (width - 8) / (text.length * letterWidth))
  const start = left + (width - text.length * size * 0.5) / 2
  return `BT 0 g /F ${at(size)} Tf ${at(start)} ${at(below - size - 2)} Td ${textOf(text)} Tj ET\n`
}

/** The distance of the handles of a Bézier curve that approximates a quarter of a circle. */
const handle = 0.5523

/** Traces the edge clockwise; that of a hole counterclockwise, so that it is cut out of the piece below it. */
function traceOf({ x, y, width, height, corners, isHole }: Piece): string {
  const [upperLeft, upperRight, lowerRight, lowerLeft] = corners
  const [right, bottom] = [x + width, y + height]
  if (corners.every(radius => radius === 0)) {
    const [from, down] = isHole ? [bottom, -height] : [y, height]
    return `${at(x)} ${at(from)} ${at(width)} ${at(down)} re\n`
  }
  const line = (toX: number, toY: number) => `${at(toX)} ${at(toY)} l `
  const curve = (
    fromX: number,
    fromY: number,
    toX: number,
    toY: number,
    viaX: number,
    viaY: number,
  ) => {
    const near = (from: number, via: number) => at(from + (via - from) * handle)
    return `${near(fromX, viaX)} ${near(fromY, viaY)} ${near(toX, viaX)} ${near(toY, viaY)} ${at(toX)} ${at(toY)} c `
  }
  const start = `${at(x + upperLeft)} ${at(y)} m `
  if (isHole) {
    return [
      start,
      curve(x + upperLeft, y, x, y + upperLeft, x, y),
      line(x, bottom - lowerLeft),
      curve(x, bottom - lowerLeft, x + lowerLeft, bottom, x, bottom),
      line(right - lowerRight, bottom),
      curve(right - lowerRight, bottom, right, bottom - lowerRight, right, bottom),
      line(right, y + upperRight),
      curve(right, y + upperRight, right - upperRight, y, right, y),
      'h\n',
    ].join('')
  }
  return [
    start,
    line(right - upperRight, y),
    curve(right - upperRight, y, right, y + upperRight, right, y),
    line(right, bottom - lowerRight),
    curve(right, bottom - lowerRight, right - lowerRight, bottom, right, bottom),
    line(x + lowerLeft, bottom),
    curve(x + lowerLeft, bottom, x, bottom - lowerLeft, x, bottom),
    line(x, y + upperLeft),
    curve(x, y + upperLeft, x + upperLeft, y, x, y),
    'h\n',
  ].join('')
}

function paint([red, green, blue]: Color): string {
  return `${at(red / 255)} ${at(green / 255)} ${at(blue / 255)} rg\n`
}

function at(place: number): string {
  return String(Math.round(place * 1_000) / 1_000)
}

/** A square with the logo in the middle, as in a code. */
function imageOf({ width, height, pixels }: Logo) {
  const side = Math.max(width, height)
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)]
  const colors = new Uint8Array(side * side * 3)
  const opacity = new Uint8Array(side * side)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = 4 * (row * width + column)
      const to = (top + row) * side + left + column
      colors.set(pixels.subarray(from, from + 3), 3 * to)
      opacity[to] = pixels[from + 3] ?? 0
    }
  }
  return { width: side, height: side, colors, opacity }
}
