/** The types of `fill-counts.mjs` for the tests. */
export function fillCounts(
  file: string,
  options: { readonly links: number; readonly visits: number; readonly now: number },
): {
  readonly rows: { readonly link_counts: number; readonly account_counts: number }
}
