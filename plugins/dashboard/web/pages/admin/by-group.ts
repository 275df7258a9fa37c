/** Plugins by the heading of their group, with the groups in order of first appearance. */
export function byGroup<T extends { readonly group: string }>(
  things: readonly T[],
): readonly (readonly [heading: string, things: readonly T[]])[] {
  const headings = [...new Set(things.map(({ group }) => group))]
  return headings.map(heading => [heading, things.filter(({ group }) => group === heading)])
}
