/** The types of `report.mjs` for the tests. */
export function printPart(
  part: {
    readonly title: string
    readonly columns: readonly string[]
    readonly goals: readonly object[]
  },
  measured: readonly object[],
): void
