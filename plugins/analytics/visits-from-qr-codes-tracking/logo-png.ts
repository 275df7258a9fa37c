import { type Color, over } from './color.ts'
import type { Logo } from './logo.ts'
import { holeIn, type Modules } from './modules.ts'
import { encodePng, layOut } from './png.ts'
import { scaleLogo } from './scale-logo.ts'
import { logoGap } from './svg.ts'

/** Pixels of a logo, along a side, that are worth the time: colors are worked out for each. */
const maxDetail = 160

/** Draw modules as a PNG, with a logo in their hole; a byte a pixel, for at most 256 colors. */
export function drawLogoPng(
  modules: Modules,
  look: {
    readonly size: number
    readonly margin: number
    readonly dark: Color
    readonly light: Color
    readonly logo: Logo
  },
): Buffer {
  const { size, margin, dark, light, logo } = look
  const { width, border } = layOut(modules, size, margin)
  const hole = holeIn(modules)
  const gap = Math.ceil(width * logoGap)
  const from = border + hole.from * width + gap
  const side = hole.side * width - 2 * gap

  const detail = Math.min(side, maxDetail)
  const pixelOf = scaleLogo(logo, detail)
  const colors = Array.from({ length: detail * detail }, (_, at) =>
    over(pixelOf(Math.floor(at / detail), at % detail), light),
  )
  const { palette, indexes } = reduceColors(colors, 254)
  const rows = drawModules(modules, size, width, border)
  const near = (at: number) => Math.floor((at * detail) / side)
  for (let row = 0; row < side; row++) {
    const at = (from + row) * (size + 1) + 1 + from
    for (let column = 0; column < side; column++) {
      rows[at + column] = 2 + (indexes[near(row) * detail + near(column)] ?? 0)
    }
  }
  return encodePng(size, 8, rows, [light, dark, ...palette])
}

/** Rows of a byte that says "not filtered" and a byte a pixel: 1 is dark. */
function drawModules(modules: Modules, size: number, width: number, border: number): Buffer {
  const rows = Buffer.alloc((size + 1) * size)
  for (let y = 0; y < modules.size * width; y++) {
    const start = (border + y) * (size + 1) + 1 + border
    const row = Math.floor(y / width)
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) {
        rows.fill(1, start + column * width, start + (column + 1) * width)
      }
    }
  }
  return rows
}

/** Put colors that are alike together, as coarsely as it takes to have at most so many. */
function reduceColors(colors: readonly Color[], most: number) {
  for (let coarseness = 1; ; coarseness *= 2) {
    const keys = colors.map(color => keyOf(color, coarseness))
    const groups = new Map<number, Color[]>()
    for (const [at, color] of colors.entries()) {
      const key = keys[at] ?? 0
      const group = groups.get(key)
      if (group) group.push(color)
      else groups.set(key, [color])
    }
    if (groups.size > most) continue
    const order = new Map([...groups.keys()].map((key, index) => [key, index]))
    return {
      palette: [...groups.values()].map(meanOf),
      indexes: keys.map(key => order.get(key) ?? 0),
    }
  }
}

/** One number for all colors that are alike. */
function keyOf(color: Color, coarseness: number): number {
  return color.reduce((key, part) => key * 256 + Math.round(part / coarseness), 0)
}

function meanOf(colors: readonly Color[]): Color {
  const mean = (part: 0 | 1 | 2 | 3) =>
    Math.round(colors.reduce((sum, color) => sum + color[part], 0) / colors.length)
  return [mean(0), mean(1), mean(2), mean(3)]
}
