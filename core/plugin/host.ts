/**
 * A host of an account's own, on which its short links live beside that of the base URL.
 *
 * @example
 * hosts: () => [{ name: 'go.example.org', accountId: 1, rootUrl: null, notFoundUrl: null }]
 */
export interface CustomHost {
  /** In lower case and punycode, without a port, as `links.example.org`. */
  readonly name: string
  /** Number of its account's row: nobody else's links are followed there. */
  readonly accountId: number
  /** Where `/` leads; null: to what is said of no link. */
  readonly rootUrl: string | null
  /** Where what is no link leads; null: to a page that says so. */
  readonly notFoundUrl: string | null
}
