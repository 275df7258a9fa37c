import type { CompiledQuery, Insertable } from 'kysely'
import type { Tx } from '../storage/database.ts'
import type { VisitCountsTable } from '../storage/schema.ts'
import type { AccountsOfLinks } from './accounts-of-links.ts'
import { createAddToAccountCounts } from './add-to-account-counts.ts'
import { inChunks } from './chunks.ts'
import type { NameIds } from './name-ids.ts'
import type { CountName } from './name-table.ts'
import { eachCount, type VisitBatch } from './visit-batch.ts'

type CountRow = Insertable<VisitCountsTable>

/**
 * Makes the function that adds a batch to the counts of links, in the order of their key, for neighbours
 * share a page, and to those of their accounts. Its statements are built once each: building one costs
 * as much as running it.
 */
export function createAddToCounts(
  nameIds: NameIds,
  accountsOf: AccountsOfLinks,
): (tx: Tx, batch: VisitBatch) => Promise<void> {
  const upserts = new Map<number, CompiledQuery>()
  const addToAccountCounts = createAddToAccountCounts(accountsOf)
  return async (tx, batch) => {
    const names = namesIn(batch)
    const ids = await nameIds.idsOf(tx, textsOf([...names.values()]))
    const all = rowsOf(batch, names, ids).sort(byKey)
    for (const rows of inChunks(all)) {
      const upsert = upserts.get(rows.length) ?? compileUpsert(tx, rows)
      upserts.set(rows.length, upsert)
      await tx.executeQuery({ ...upsert, parameters: rows.flatMap(parametersOf) })
    }
    await addToAccountCounts(tx, all)
  }
}

function textsOf(names: readonly CountName[]): ReadonlySet<string> {
  return new Set(names.flatMap(({ dimension, value }) => [dimension, value]))
}

/** The names that a batch counts under, by their numbers. */
function namesIn({ names, links }: VisitBatch): ReadonlyMap<number, CountName> {
  const counted = new Map<number, CountName>()
  for (const { counts } of links) {
    eachCount(counts, name => {
      if (!counted.has(name)) counted.set(name, names.name(name))
    })
  }
  return counted
}

function rowsOf(
  { links }: VisitBatch,
  names: ReadonlyMap<number, CountName>,
  ids: ReadonlyMap<string, number>,
): CountRow[] {
  const keys = new Map(
    Array.from(names, ([number, { dimension, value }]) => [
      number,
      { dimension: idOf(ids, dimension), value: idOf(ids, value) },
    ]),
  )
  const rows: CountRow[] = []
  for (const { linkId, counts } of links) {
    eachCount(counts, (name, hour, count) => {
      const { dimension = 0, value = 0 } = keys.get(name) ?? {}
      rows.push({ link_id: linkId, dimension, value, bucket: hour, count })
    })
  }
  return rows
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The name "${name}" has no row in visit_names.`)
  return id
}

function byKey(a: CountRow, b: CountRow): number {
  return (
    a.link_id - b.link_id || a.dimension - b.dimension || a.bucket - b.bucket || a.value - b.value
  )
}

function compileUpsert(tx: Tx, rows: readonly CountRow[]): CompiledQuery {
  return tx
    .insertInto('visit_counts')
    .columns(['link_id', 'dimension', 'value', 'bucket', 'count'])
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['link_id', 'dimension', 'bucket', 'value']).doUpdateSet(({ eb, ref }) => ({
        count: eb('visit_counts.count', '+', ref('excluded.count')),
      })),
    )
    .compile()
}

/** In the order that the upsert's columns have: that of the rows' properties. */
function parametersOf({ link_id, dimension, value, bucket, count }: CountRow): number[] {
  return [link_id, dimension, value, bucket, count]
}
