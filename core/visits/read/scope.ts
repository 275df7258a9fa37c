import type { LinkRows } from '../../plugin.ts'

/** Whose counts to read: those of a link, of an account, or of the links of a query. Ids are row ids. */
export type Scope =
  | { readonly linkId: number }
  | { readonly accountId: number }
  | { readonly linkRows: LinkRows }
