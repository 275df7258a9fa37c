import type { Tx } from '../storage/database.ts'
import type { CountsToAdd, NameId } from './counts-to-add.ts'
import type { NameIds } from './name-ids.ts'
import type { NameTable } from './name-table.ts'

/** The ids of all names that something is counted under. */
export async function idsOfNames(
  tx: Tx,
  counts: CountsToAdd,
  names: NameTable,
  nameIds: NameIds,
): Promise<ReadonlyMap<number, NameId>> {
  const counted = counts.names()
  const texts = Array.from(counted, number => names.name(number))
  const ids = await nameIds.idsOf(
    tx,
    new Set(texts.flatMap(({ dimension, value }) => [dimension, value])),
  )
  const idOf = (text: string) => {
    const id = ids.get(text)
    if (id === undefined) throw new Error(`The name "${text}" has no row in visit_names.`)
    return id
  }
  return new Map(
    Array.from(counted, number => {
      const { dimension, value } = names.name(number)
      return [number, { dimension: idOf(dimension), value: idOf(value) }]
    }),
  )
}
