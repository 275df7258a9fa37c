import type { Tx } from '../../storage/database.ts'
import type { NameIds } from '../tables/name-ids.ts'
import type { NameTable } from '../wire/name-table.ts'

/** The ids in `visit_names`, by the number of a name. */
export interface IdsOfNames {
  dimensionOf(name: number): number
  valueOf(name: number): number
}

/** The ids of these names, which are given by their numbers. */
export async function idsOfNames(
  tx: Tx,
  numbers: readonly number[],
  names: NameTable,
  nameIds: NameIds,
): Promise<IdsOfNames> {
  const texts = new Set<string>()
  for (const number of numbers) {
    const { dimension, value } = names.name(number)
    texts.add(dimension).add(value)
  }
  const ids = await nameIds.idsOf(tx, texts)
  const idOf = (text: string) => {
    const id = ids.get(text)
    if (id === undefined) throw new Error(`The name "${text}" has no row in visit_names.`)
    return id
  }
  const dimensions = new Float64Array(names.size())
  const values = new Float64Array(names.size())
  for (const number of numbers) {
    const { dimension, value } = names.name(number)
    dimensions[number] = idOf(dimension)
    values[number] = idOf(value)
  }
  return {
    dimensionOf: number => dimensions[number] ?? 0,
    valueOf: number => values[number] ?? 0,
  }
}
