/** A square of dark and light modules. */
export interface Modules {
  readonly size: number
  /** 1 is dark. */
  get(row: number, column: number): number
}

/** A square in the middle of a code: its first row and column, and its width. */
export interface Hole {
  readonly from: number
  readonly side: number
}

/** The hole's share of the side: a twentieth of all modules, well below what level H can correct. */
const holeShare = 0.22

/** The hole in the middle of these modules, for a logo. */
export function holeIn({ size }: Modules): Hole {
  // Odd, as every size is, so that both sides have the same number of modules.
  const side = 2 * Math.floor((size * holeShare) / 2) + 1
  return { from: (size - side) / 2, side }
}

/** The same modules with an empty hole. */
export function withHole(modules: Modules, { from, side }: Hole): Modules {
  const isIn = (at: number) => at >= from && at < from + side
  return {
    size: modules.size,
    get: (row, column) => (isIn(row) && isIn(column) ? 0 : modules.get(row, column)),
  }
}
