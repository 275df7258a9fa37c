/** Distributes things over two columns of about the same height: each goes into the shorter column so far. */
export function inColumns<Thing>(
  things: readonly Thing[],
  heightOf: (thing: Thing) => number,
): readonly [readonly Thing[], readonly Thing[]] {
  const columns: [Thing[], Thing[]] = [[], []]
  const heights: [number, number] = [0, 0]
  for (const thing of things) {
    const lower = heights[1] < heights[0] ? 1 : 0
    columns[lower].push(thing)
    heights[lower] += heightOf(thing)
  }
  return columns
}
