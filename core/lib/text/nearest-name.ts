/** The known name that was probably meant, if one is near: at most a quarter of its letters differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const byDistance = known
    .map(candidate => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = byDistance
  return best && best.distance * 4 <= best.candidate.length ? best.candidate : undefined
}

/** Asks whether the nearest known name was meant; if none is near, says something else. */
export function meant(name: string, known: readonly string[], otherwise: string): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? otherwise : `Did you mean ${nearest}?`
}

/**
 * How many letters to add, leave out, replace or swap with the next: the optimal string alignment distance,
 * https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance
 */
function editDistance(from: string, to: string): number {
  let above: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[line - 1] === to[column - 1]
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1]
      next.push(
        Math.min(
          (next[column - 1] ?? 0) + 1,
          (row[column] ?? 0) + 1,
          (row[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (above[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    above = row
    row = next
  }
  return row.at(-1) ?? 0
}
