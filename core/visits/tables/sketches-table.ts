/** A table of sketches, and its column that says whose they are. */
export interface SketchesTable {
  readonly table: 'link_sketches'
  readonly owner: 'link_id'
}

export const sketchesOfLinks: SketchesTable = { table: 'link_sketches', owner: 'link_id' }

/** Alike but for its names: to the types it is the other one, so that what is written serves both. */
export const sketchesOfAccounts = {
  table: 'account_sketches',
  owner: 'account_id',
} as unknown as SketchesTable

export const sketchesTables: readonly SketchesTable[] = [sketchesOfLinks, sketchesOfAccounts]
