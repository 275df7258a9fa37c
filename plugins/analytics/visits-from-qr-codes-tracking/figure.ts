import type { Modules } from './modules.ts'

/** The shapes of modules, and those of the three eyes in the corners. */
export const shapes = ['square', 'rounded', 'dots'] as const
export const eyeShapes = ['square', 'rounded', 'circle'] as const

export interface Shapes {
  readonly shape: (typeof shapes)[number]
  readonly eyes: (typeof eyeShapes)[number]
}

/** Whether nothing is round. */
export function isSquare({ shape, eyes }: Shapes): boolean {
  return shape === 'square' && eyes === 'square'
}

/** A rectangle with round corners, in modules. */
export interface Piece {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Radii of its corners, clockwise from the upper left. */
  readonly corners: Corners
  /** True: it is cut out of the piece below it. */
  readonly isHole?: true
}

type Corners = readonly [
  upperLeft: number,
  upperRight: number,
  lowerRight: number,
  lowerLeft: number,
]

/** The width of an eye, in modules. */
const eyeSide = 7

/** The pieces of a code that are painted in the dark color. */
export function figureOf(modules: Modules, { shape, eyes }: Shapes): readonly Piece[] {
  const isDark = (row: number, column: number) =>
    isWithin(modules, row, column) && modules.get(row, column) === 1
  const corners = eyesOf(modules)
  const isEye = (row: number, column: number) =>
    corners.some(
      ([top, left]) =>
        row >= top && row < top + eyeSide && column >= left && column < left + eyeSide,
    )
  const data = {
    size: modules.size,
    get: (row: number, column: number) => (isDark(row, column) && !isEye(row, column) ? 1 : 0),
  }
  const isAlignment = alignmentIn(modules)
  const only = (isWanted: typeof isAlignment, wanted: boolean): Modules => ({
    ...data,
    get: (row, column) => (isWanted(row, column) === wanted ? data.get(row, column) : 0),
  })
  return [
    ...(shape === 'dots'
      ? [...dotsOf(only(isAlignment, false)), ...runsOf(only(isAlignment, true), true)]
      : runsOf(data, shape === 'rounded')),
    ...corners.flatMap(([top, left]) => eyeAt(left, top, eyes)),
  ]
}

/** The positions of the eyes: all corners but one. */
function eyesOf({ size }: Modules): readonly (readonly [top: number, left: number])[] {
  const last = size - eyeSide
  return [
    [0, 0],
    [0, last],
    [last, 0],
  ]
}

/**
 * Returns whether a module belongs to an alignment mark, which cameras would not find if it were made of dots. Marks
 * are 5 modules wide, at the same places in rows and columns, except the corners with eyes: ISO/IEC 18004, annex E.
 */
function alignmentIn({ size }: Modules): (row: number, column: number) => boolean {
  const version = (size - 17) / 4
  if (version < 2) return () => false
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : Math.ceil((size - 13) / (2 * count - 2)) * 2
  const last = size - 7
  const middles = [6, ...Array.from({ length: count - 1 }, (_, index) => last - index * step)]
  const middleAt = (place: number) => middles.find(middle => Math.abs(middle - place) <= 2)
  return (row, column) => {
    const [down, across] = [middleAt(row), middleAt(column)]
    if (down === undefined || across === undefined) return false
    return !(down === 6 && (across === 6 || across === last)) && !(down === last && across === 6)
  }
}

function dotsOf(modules: Modules): readonly Piece[] {
  const pieces: Piece[] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) pieces.push(disc(column, row))
    }
  }
  return pieces
}

/** Joins dark modules that touch in a row into one piece, which is round where nothing is next to it. */
function runsOf(modules: Modules, isRound: boolean): readonly Piece[] {
  const pieces: Piece[] = []
  const corner = (row: number, column: number) =>
    isRound && !(isWithin(modules, row, column) && modules.get(row, column)) ? 0.5 : 0
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      const from = column
      while (column < modules.size && modules.get(row, column)) column++
      if (column === from) continue
      const last = column - 1
      const corners = [
        corner(row - 1, from),
        corner(row - 1, last),
        corner(row + 1, last),
        corner(row + 1, from),
      ] as const
      pieces.push({ x: from, y: row, width: column - from, height: 1, corners })
    }
  }
  return pieces
}

/** The ring of an eye and its center. */
function eyeAt(x: number, y: number, eyes: Shapes['eyes']): readonly Piece[] {
  const square = (inset: number, radius: number): Piece => {
    const width = eyeSide - 2 * inset
    const round = eyes === 'circle' ? width / 2 : eyes === 'rounded' ? radius : 0
    const corners = [round, round, round, round] as const
    return { x: x + inset, y: y + inset, width, height: width, corners }
  }
  return [square(0, 2), { ...square(1, 1.2), isHole: true }, square(2, 0.9)]
}

/** As wide as a module, because cameras would see a line in a gap between two. */
function disc(x: number, y: number): Piece {
  return { x, y, width: 1, height: 1, corners: [0.5, 0.5, 0.5, 0.5] }
}

function isWithin({ size }: Modules, row: number, column: number): boolean {
  return row >= 0 && column >= 0 && row < size && column < size
}
