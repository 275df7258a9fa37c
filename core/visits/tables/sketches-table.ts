/** A table of sketches, and the column with the owner of a sketch. */
export interface SketchesTable {
  readonly table: 'link_sketches'
  readonly owner: 'link_id'
}

export const sketchesOfLinks: SketchesTable = { table: 'link_sketches', owner: 'link_id' }

/** The same apart from the names: to the type checker it is the other table, so that statements serve both. */
export const sketchesOfAccounts = {
  table: 'account_sketches',
  owner: 'account_id',
} as unknown as SketchesTable

export const sketchesTables: readonly SketchesTable[] = [sketchesOfLinks, sketchesOfAccounts]
