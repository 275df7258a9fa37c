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

/** The Levenshtein distance: https://en.wikipedia.org/wiki/Levenshtein_distance */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, wanted] of [...to].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]]
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === wanted ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
