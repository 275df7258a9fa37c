/** The types of `until-counted.mjs` for the tests. */
export function untilCounted(
  server: { readonly url: string; readonly token: string },
  visits: number,
): Promise<{ readonly counted: number; readonly dropped: number }>
