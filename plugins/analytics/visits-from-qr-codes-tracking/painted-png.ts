import { setImmediate as ownTurn } from 'node:timers/promises'
import { type Color, over } from './color.ts'
import { figureOf, type Shapes } from './figure.ts'
import type { Logo } from './logo.ts'
import { holeIn, type Modules } from './modules.ts'
import { encodePng, layOut } from './png.ts'
import { rasterize } from './rasterize.ts'
import { scaleLogo } from './scale-logo.ts'
import { logoGap } from './svg.ts'

/** The maximum side of a logo in pixels, because computing a color for each pixel takes time. */
const maxDetail = 160

/** The number of steps from the light color to the dark one, for pixels on an edge. */
const steps = 16

/** So many pixels take a few milliseconds. */
const pixelsAtOnce = 100_000

/**
 * Draws modules as a PNG in any shape, with a logo in the hole. One byte per pixel, for at most 256 colors. A large one takes a tenth
 * of a second, so redirects have turns in between.
 */
export async function drawPaintedPng(
  modules: Modules,
  look: Shapes & {
    readonly size: number
    readonly margin: number
    readonly dark: Color
    readonly light: Color
    readonly logo: Logo | undefined
  },
): Promise<Buffer> {
  const { size, margin, dark, light, logo } = look
  const place = layOut(modules, size, margin)
  const pieces = figureOf(modules, look)
  const rows = Buffer.alloc((size + 1) * size)
  const rowsAtOnce = Math.ceil(pixelsAtOnce / size)
  for (let from = 0; from < size; from += rowsAtOnce) {
    const band = { size, from, end: Math.min(from + rowsAtOnce, size) }
    shade(rows, band, rasterize(pieces, band, place))
    await ownTurn()
  }
  const shades = Array.from({ length: steps + 1 }, (_, step) => between(light, dark, step / steps))
  const logoColors = logo ? drawLogo(rows, modules, { ...look, logo, place }) : []
  return encodePng(size, 8, rows, [...shades, ...logoColors])
}

function shade(
  rows: Buffer,
  { size, from, end }: { readonly size: number; readonly from: number; readonly end: number },
  covered: Float32Array,
): void {
  for (let row = from; row < end; row++) {
    for (let column = 0; column < size; column++) {
      const share = Math.min(Math.max(covered[(row - from) * size + column] ?? 0, 0), 1)
      rows[row * (size + 1) + 1 + column] = Math.round(share * steps)
    }
  }
}

interface LogoPlace {
  readonly size: number
  readonly light: Color
  readonly logo: Logo
  readonly place: ReturnType<typeof layOut>
}

/** Draws a logo into the hole, and returns its colors, which follow the shades in the palette. */
function drawLogo(
  rows: Buffer,
  modules: Modules,
  { size, light, logo, place: { width, border } }: LogoPlace,
): readonly Color[] {
  const hole = holeIn(modules)
  const gap = Math.ceil(width * logoGap)
  const from = border + hole.from * width + gap
  const side = hole.side * width - 2 * gap
  const detail = Math.min(side, maxDetail)
  const pixelOf = scaleLogo(logo, detail)
  const colors = Array.from({ length: detail * detail }, (_, at) =>
    over(pixelOf(Math.floor(at / detail), at % detail), light),
  )
  const first = steps + 1
  const { palette, indexes } = reduceColors(colors, 256 - first)
  const near = (at: number) => Math.floor((at * detail) / side)
  for (let row = 0; row < side; row++) {
    const at = (from + row) * (size + 1) + 1 + from
    for (let column = 0; column < side; column++) {
      rows[at + column] = first + (indexes[near(row) * detail + near(column)] ?? 0)
    }
  }
  return palette
}

function between(from: Color, to: Color, share: number): Color {
  const mix = (part: 0 | 1 | 2 | 3) => Math.round(from[part] + (to[part] - from[part]) * share)
  return [mix(0), mix(1), mix(2), mix(3)]
}

/** Groups similar colors, as coarsely as needed for at most `most` groups. */
function reduceColors(colors: readonly Color[], most: number) {
  for (let coarseness = 1; ; coarseness *= 2) {
    const groups = groupColors(colors, coarseness, most)
    if (!groups) continue
    const order = new Map([...groups.keys()].map((key, index) => [key, index]))
    return {
      palette: [...groups.values()].map(meanOf),
      indexes: colors.map(color => order.get(keyOf(color, coarseness)) ?? 0),
    }
  }
}

/** Similar colors by their number; undefined as soon as there are too many. */
function groupColors(colors: readonly Color[], coarseness: number, most: number) {
  const groups = new Map<number, Color[]>()
  for (const color of colors) {
    const key = keyOf(color, coarseness)
    const group = groups.get(key)
    if (group) group.push(color)
    else groups.set(key, [color])
    if (groups.size > most) return undefined
  }
  return groups
}

/** The same number for similar colors. */
function keyOf(color: Color, coarseness: number): number {
  return color.reduce((key, part) => key * 256 + Math.round(part / coarseness), 0)
}

function meanOf(colors: readonly Color[]): Color {
  const mean = (part: 0 | 1 | 2 | 3) =>
    Math.round(colors.reduce((sum, color) => sum + color[part], 0) / colors.length)
  return [mean(0), mean(1), mean(2), mean(3)]
}
