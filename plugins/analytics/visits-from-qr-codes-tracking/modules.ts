/** A square of dark and light modules. */
export interface Modules {
  readonly size: number
  /** 1 is dark. */
  get(row: number, column: number): number
}

/** A square in the middle of modules: where it begins, and how wide it is. */
export interface Hole {
  readonly from: number
  readonly side: number
}

/** As much as level H makes up for, with room to spare: a twentieth of the modules. */
const holeShare = 0.22

/** The middle of these modules, where a logo can be. */
export function holeIn({ size }: Modules): Hole {
  // Odd, as every size is, so that the same number of modules is on both sides.
  const side = 2 * Math.floor((size * holeShare) / 2) + 1
  return { from: (size - side) / 2, side }
}

/** The same modules with nothing in the hole. */
export function withHole(modules: Modules, { from, side }: Hole): Modules {
  const isIn = (at: number) => at >= from && at < from + side
  return {
    size: modules.size,
    get: (row, column) => (isIn(row) && isIn(column) ? 0 : modules.get(row, column)),
  }
}
