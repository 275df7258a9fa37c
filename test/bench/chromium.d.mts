/** The types of `chromium.mjs` for the tests. */
export const chromiumPath: string | undefined
