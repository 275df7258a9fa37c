import type { CompiledQuery, Insertable } from 'kysely'
import type { Tx } from '../storage/database.ts'
import type { VisitCountsTable } from '../storage/schema.ts'
import { inChunks } from './chunks.ts'
import type { NameIds } from './name-ids.ts'
import type { VisitBatch } from './visit-batch.ts'

type CountRow = Insertable<VisitCountsTable>

/**
 * Makes the function that adds a batch to the counts, in the order of their key, for neighbours share
 * a page. Its statements are built once each: building one costs as much as running it.
 */
export function createAddToCounts(nameIds: NameIds): (tx: Tx, batch: VisitBatch) => Promise<void> {
  const upserts = new Map<number, CompiledQuery>()
  return async (tx, batch) => {
    const ids = await nameIds.idsOf(tx, textsOf(batch))
    for (const rows of inChunks(rowsOf(batch, ids).sort(byKey))) {
      const upsert = upserts.get(rows.length) ?? compileUpsert(tx, rows)
      upserts.set(rows.length, upsert)
      await tx.executeQuery({ ...upsert, parameters: rows.flatMap(parametersOf) })
    }
  }
}

function textsOf(batch: VisitBatch): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const { counts } of batch) {
    for (const { name } of counts) texts.add(name.dimension).add(name.value)
  }
  return texts
}

function rowsOf(batch: VisitBatch, ids: ReadonlyMap<string, number>): CountRow[] {
  return batch.flatMap(({ linkId, counts }) =>
    counts.map(({ name, hour, count }) => ({
      link_id: linkId,
      dimension: idOf(ids, name.dimension),
      value: idOf(ids, name.value),
      bucket: hour,
      count,
    })),
  )
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The name "${name}" has no row in visit_names.`)
  return id
}

function byKey(a: CountRow, b: CountRow): number {
  return (
    a.link_id - b.link_id || a.dimension - b.dimension || a.value - b.value || a.bucket - b.bucket
  )
}

function compileUpsert(tx: Tx, rows: readonly CountRow[]): CompiledQuery {
  return tx
    .insertInto('visit_counts')
    .columns(['link_id', 'dimension', 'value', 'bucket', 'count'])
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['link_id', 'dimension', 'value', 'bucket']).doUpdateSet(({ eb, ref }) => ({
        count: eb('visit_counts.count', '+', ref('excluded.count')),
      })),
    )
    .compile()
}

/** In the order that the upsert's columns have: that of the rows' properties. */
function parametersOf({ link_id, dimension, value, bucket, count }: CountRow): number[] {
  return [link_id, dimension, value, bucket, count]
}
