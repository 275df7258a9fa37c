/** Plugins by the heading that they stand under, in the order in which they come. */
export function byGroup<T extends { readonly group: string }>(
  things: readonly T[],
): readonly (readonly [heading: string, things: readonly T[]])[] {
  const headings = [...new Set(things.map(({ group }) => group))]
  return headings.map(heading => [heading, things.filter(({ group }) => group === heading)])
}
