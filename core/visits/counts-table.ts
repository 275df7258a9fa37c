/** A table of counts, and its column that says whose they are. */
export interface CountsTable {
  readonly table: 'visit_counts'
  readonly owner: 'link_id'
}

export const countsOfLinks: CountsTable = { table: 'visit_counts', owner: 'link_id' }

/** Alike but for its names: to the types it is the other one, so that what is written serves both. */
export const countsOfAccounts = {
  table: 'account_counts',
  owner: 'account_id',
} as unknown as CountsTable

/** What an account has by blocks: see `blockOf`. */
export const blocksOfAccounts = {
  table: 'account_blocks',
  owner: 'account_id',
} as unknown as CountsTable

/** Links first: what was taken from a link may be taken out of its account's counts once more. */
export const countsTables: readonly CountsTable[] = [countsOfLinks, countsOfAccounts]
