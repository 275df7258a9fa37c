import type { Fields, Given, Opened } from './fields.ts'
import type { AddressedLink, LinkAddress } from './visit.ts'

/**
 * A link that is about to be saved.
 *
 * @example
 * validate({ addresses, fields }) {
 *   const wrong = addresses.find(({ url }) => new URL(url).hostname === fields.never)
 *   return wrong && refuse('host_not_allowed', 'Not there.', 422, wrong.field)
 * }
 */
export interface Draft<F extends Fields = Fields> {
  readonly kind: 'create' | 'edit'
  /**
   * 0 at first. If the short code that `prepare` made up for a new link is taken, `prepare` runs again, up to 7 times,
   * with 1, 2 and so on. After that, the link gets a random code.
   */
  readonly attempt: number
  /** Row id of the account that owns the link. */
  readonly accountId: number
  /** The saved link when it is edited; undefined when it is created. */
  readonly link: AddressedLink | undefined
  /** The host of the link; empty for the host of the base URL. */
  readonly domain: string
  readonly originalUrl: string
  /** All addresses that it may lead to: the original URL first, then those in fields of plugins. */
  readonly addresses: readonly LinkAddress[]
  /** Undefined if Linnet is to choose a random one. */
  readonly shortCode: string | undefined
  /** The plugin's own fields in the request. */
  readonly fields: Given<F>
  /** The values of these fields before the request; empty for a new link. */
  readonly stored: Opened<F>
}

/**
 * The changes that `prepare` makes to a draft. Keys that it leaves out stay as they are.
 *
 * @example
 * prepare: ({ kind }) => (kind === 'create' ? { shortCode: 'spring' } : undefined)
 */
export interface Patch {
  /** A custom host of the account, one that `hosts` returns; empty for the host of the base URL. */
  readonly domain?: string
  readonly originalUrl?: string
  readonly shortCode?: string
}
