import type { Color } from './color.ts'
import type { Logo } from './logo.ts'

/** The color of one pixel of a logo. */
export type PixelOf = (row: number, column: number) => Color

/** Scales a logo to fit into a square of `side` pixels, and centers it. The rest is transparent. */
export function scaleLogo({ width, height, pixels }: Logo, side: number): PixelOf {
  const scale = Math.max(width, height) / side
  const left = (side - width / scale) / 2
  const top = (side - height / scale) / 2
  return (row, column) => {
    const rows = spanOf((row - top) * scale, scale, height)
    const columns = spanOf((column - left) * scale, scale, width)
    return meanOf(pixels, width, rows, columns)
  }
}

type Span = readonly [from: number, to: number]

/** The whole pixels of the logo that one pixel of the square stands for; none outside of the logo. */
function spanOf(from: number, length: number, end: number): Span {
  const middle = from + length / 2
  if (middle < 0 || middle >= end) return [0, 0]
  const first = Math.max(0, Math.floor(from))
  return [first, Math.min(end, Math.max(first + 1, Math.floor(from + length)))]
}

/** The mean color of pixels, weighted by opacity, because transparent pixels have no color. */
function meanOf(pixels: Uint8Array, width: number, rows: Span, columns: Span): Color {
  const sums = [0, 0, 0, 0] as [number, number, number, number]
  let count = 0
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = columns[0]; column < columns[1]; column++) {
      const at = 4 * (row * width + column)
      const opacity = pixels[at + 3] ?? 0
      for (const part of [0, 1, 2] as const) sums[part] += (pixels[at + part] ?? 0) * opacity
      sums[3] += opacity
      count += 1
    }
  }
  const [red, green, blue, opacity] = sums
  if (opacity === 0) return [0, 0, 0, 0]
  return [red / opacity, green / opacity, blue / opacity, opacity / count]
}
