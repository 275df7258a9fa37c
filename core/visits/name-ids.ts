import { createLru } from '../lru.ts'
import type { Tx } from '../storage/database.ts'
import { inChunks } from './chunks.ts'

/** Ids of names in the dictionary `visit_names`, which only ever grows. */
export interface NameIds {
  /** The ids of these names; the ones that are new get theirs. */
  idsOf(tx: Tx, names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>
  /** Call when the transaction failed: what it added is not there. */
  forget(): void
}

export function createNameIds(): NameIds {
  const remembered = createLru<string, number>(20_000)
  return {
    forget: () => remembered.clear(),
    async idsOf(tx, names) {
      const ids = new Map<string, number>()
      for (const name of names) {
        const id = remembered.get(name)
        if (id !== undefined) ids.set(name, id)
      }
      await find(tx, missing(names, ids), ids)
      await add(tx, missing(names, ids))
      // Another recorder may have added the same name: what counts is what is there now.
      await find(tx, missing(names, ids), ids)
      for (const [name, id] of ids) remembered.set(name, id)
      return ids
    },
  }
}

/** Sorted, so that two recorders that add the same names do not wait for each other in a circle. */
function missing(names: ReadonlySet<string>, ids: ReadonlyMap<string, number>): string[] {
  return [...names].filter(name => !ids.has(name)).sort()
}

async function find(tx: Tx, names: readonly string[], ids: Map<string, number>): Promise<void> {
  for (const chunk of inChunks(names)) {
    const rows = await tx
      .selectFrom('visit_names')
      .select(['id', 'name'])
      .where('name', 'in', chunk)
      .execute()
    for (const { id, name } of rows) ids.set(name, id)
  }
}

async function add(tx: Tx, names: readonly string[]): Promise<void> {
  for (const chunk of inChunks(names)) {
    await tx
      .insertInto('visit_names')
      .values(chunk.map(name => ({ name })))
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute()
  }
}
