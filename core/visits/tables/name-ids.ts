import { inChunks } from '../../lib/chunks.ts'
import { createLru } from '../../lru.ts'
import type { Tx } from '../../storage/database.ts'
import { roundOf } from './name-round.ts'

/** Ids of names in the dictionary `visit_names`. */
export interface NameIds {
  /**
   * The ids of these names; the ones that are new get theirs. All of them are noted as used in the
   * present round, so that none is swept away while the transaction writes of it.
   */
  idsOf(tx: Tx, names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>
  /** Call when the transaction failed: what it added is not there. */
  forget(): void
}

/** What is remembered was noted in one round, and is looked up anew in the next. */
export function createNameIds(): NameIds {
  const remembered = createLru<string, number>(20_000)
  let rememberedIn = 0
  return {
    forget: () => remembered.clear(),
    async idsOf(tx, names) {
      const round = await roundOf(tx)
      if (round !== rememberedIn) remembered.clear()
      rememberedIn = round

      const ids = new Map<string, number>()
      for (const name of names) {
        const id = remembered.get(name)
        if (id !== undefined) ids.set(name, id)
      }
      await find(tx, missing(names, ids), round, ids)
      await addOrNote(tx, missing(names, ids), round, ids)
      for (const [name, id] of ids) remembered.set(name, id)
      return ids
    },
  }
}

/** Sorted, so that two recorders that add the same names do not wait for each other in a circle. */
function missing(names: ReadonlySet<string>, ids: ReadonlyMap<string, number>): string[] {
  return [...names].filter(name => !ids.has(name)).sort()
}

/** Those that are noted already, to which nothing needs to be written. */
async function find(
  tx: Tx,
  names: readonly string[],
  round: number,
  ids: Map<string, number>,
): Promise<void> {
  for (const chunk of inChunks(names)) {
    const rows = await tx
      .selectFrom('visit_names')
      .select(['id', 'name'])
      .where('name', 'in', chunk)
      .where('used_in', '=', round)
      .execute()
    for (const { id, name } of rows) ids.set(name, id)
  }
}

/** In one statement, so that a name is there and noted, or is not there. */
async function addOrNote(
  tx: Tx,
  names: readonly string[],
  round: number,
  ids: Map<string, number>,
): Promise<void> {
  for (const chunk of inChunks(names)) {
    const rows = await tx
      .insertInto('visit_names')
      .values(chunk.map(name => ({ name, used_in: round })))
      .onConflict(conflict => conflict.column('name').doUpdateSet({ used_in: round }))
      .returning(['id', 'name'])
      .execute()
    for (const { id, name } of rows) ids.set(name, id)
  }
}
