/**
 * A custom host of an account, on which its links are followed.
 *
 * @example
 * hosts: () => [{ name: 'go.example.org', accountId: 1, rootUrl: null, notFoundUrl: null }]
 */
export interface CustomHost {
  /** In lower case and punycode, without a port, such as `links.example.org`. */
  readonly name: string
  /** Row id of the account. Links of other accounts are not followed on this host. */
  readonly accountId: number
  /** Where `/` leads. Null: `/` is answered like an unknown code. */
  readonly rootUrl: string | null
  /** Where unknown codes lead. Null: visitors get a page with 404. */
  readonly notFoundUrl: string | null
}
