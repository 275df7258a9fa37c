import type { LinkRows } from '../../plugin.ts'

/** Whose counts: those of a link, of an account, or of the links that a query gives. Ids are of rows. */
export type Scope =
  | { readonly linkId: number }
  | { readonly accountId: number }
  | { readonly linkRows: LinkRows }
