import type { Piece } from './figure.ts'

/** The number of lines that are sampled in each pixel. */
const linesEach = 4

/** Some rows of pixels, each `size` wide: from `from` to the one before `end`. */
interface Band {
  readonly size: number
  readonly from: number
  readonly end: number
}

/**
 * Computes how much of each pixel of a band is covered by pieces, from 0 to 1, row by row. A module is `width` pixels wide, and
 * the first one begins `border` pixels from the edge.
 */
export function rasterize(
  pieces: readonly Piece[],
  band: Band,
  { width, border }: { readonly width: number; readonly border: number },
): Float32Array {
  const { size } = band
  const covered = new Float32Array(size * (band.end - band.from))
  for (const piece of pieces) {
    const top = border + piece.y * width
    const bottom = top + piece.height * width
    const weight = (piece.isHole ? -1 : 1) / linesEach
    const left = border + piece.x * width
    const first = Math.max(Math.floor(top), band.from)
    const end = Math.min(Math.ceil(bottom), band.end)
    for (let row = first; row < end; row++) {
      for (let line = 0; line < linesEach; line++) {
        const y = row + (line + 0.5) / linesEach
        if (y < top || y >= bottom) continue
        const [from, to] = spanAt(piece, (y - top) / width)
        cover(covered, (row - band.from) * size, left + from * width, left + to * width, weight)
      }
    }
  }
  return covered
}

/** The left and right end of a piece at a distance `y` below its upper edge. */
function spanAt(
  { width, height, corners: [upperLeft, upperRight, lowerRight, lowerLeft] }: Piece,
  y: number,
): readonly [number, number] {
  const below = height - y
  const left = Math.max(inset(upperLeft, y), inset(lowerLeft, below))
  const right = Math.max(inset(upperRight, y), inset(lowerRight, below))
  return [left, width - right]
}

/** How far a round corner recedes from the side, at a distance from the upper or lower edge. */
function inset(radius: number, distance: number): number {
  if (distance >= radius) return 0
  return radius - Math.sqrt(radius ** 2 - (radius - distance) ** 2)
}

function cover(covered: Float32Array, row: number, from: number, to: number, weight: number): void {
  const [first, last] = [Math.floor(from), Math.ceil(to) - 1]
  for (let at = first; at <= last; at++) {
    const part = Math.min(to, at + 1) - Math.max(from, at)
    covered[row + at] = (covered[row + at] ?? 0) + part * weight
  }
}
