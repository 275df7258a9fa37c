/** What `chromium.mjs` gives to the tests. */
export const chromiumPath: string | undefined
