import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { asJson, type Columns, namesOf, rowsOf } from '../../storage/json-rows.ts'
import { type BroughtVisits, packSums } from '../wire/packed-sums.ts'

/** A link, by row id, and visits that it had elsewhere. */
export interface BroughtToLink {
  readonly linkId: number
  readonly brought: BroughtVisits
}

/**
 * Stores visits from elsewhere, to be folded like any others, in the transaction that makes it certain that this happens
 * once. Returns the row id of the batch.
 */
export async function storeBrought(tx: Tx, links: readonly BroughtToLink[]): Promise<number> {
  const { id } = await tx
    .insertInto('visit_batches')
    .values({ packed: packSums(links) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes keys of imports, each for a link. Returns whether one is new: false for the second of two that are the same. */
export async function takeImportKeys(
  tx: Tx,
  wanted: readonly ImportKey[],
): Promise<(one: ImportKey) => boolean> {
  const rows = wanted.map(({ rowId, key }) => ({ link_id: rowId, key }))
  const taken = await takeKeys(tx, { given: asJson(rows, keyColumns) })
  const left = new Set(taken.rows.map(({ link_id, key }) => `${link_id} ${key}`))
  return ({ rowId, key }) => left.delete(`${rowId} ${key}`)
}

interface ImportKey {
  readonly rowId: number
  readonly key: string
}

const keyColumns: Columns<'key' | 'link_id'> = { texts: ['key'], numbers: ['link_id'] }

const takeKeys = compileOnce((db: Database, { given }: Places<{ given: string }>) =>
  db
    .insertInto('visit_imports')
    .columns(namesOf(keyColumns))
    .expression(rowsOf(given, keyColumns))
    .onConflict(conflict => conflict.doNothing())
    .returning(['link_id', 'key']),
)
