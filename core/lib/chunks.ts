const sizes = [64, 8, 1]

/** Rows in groups of a few fixed sizes, so that a handful of SQL texts serve any number of rows. */
export function* inChunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let start = 0
  for (const size of sizes) {
    for (; rows.length - start >= size; start += size) yield rows.slice(start, start + size)
  }
}
