import type { CompiledQuery } from 'kysely'
import { createLru } from '../../lib/memory/lru.ts'
import type { Tx } from '../../storage/database.ts'
import { roundOf } from './name-round.ts'
import { rowsStatement } from './rows-statement.ts'

/** Ids of names in the dictionary `visit_names`. */
export interface NameIds {
  /**
   * The ids of these names; new names are added. All of them are noted as used in the current round, so that none is
   * swept away while the transaction uses it.
   */
  idsOf(tx: Tx, names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>
  /** Call this when the transaction failed: the names that it added do not exist. */
  forget(): void
}

/** Remembers ids for one round, and looks them up again in the next. */
export function createNameIds(): NameIds {
  const remembered = createLru<string, number>(20_000)
  const find = rowsStatement<Name, NameRow>(compileFind, ({ name }) => [name])
  const addOrNote = rowsStatement<Name, NameRow>(compileAddOrNote, it => [it.name, it.round])
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
      const missing = () => missingOf(names, ids).map(name => ({ name, round }))
      for (const { id, name, used_in } of await find(tx, missing())) {
        // Names that are noted already need no write.
        if (used_in === round) ids.set(name, id)
      }
      for (const { id, name } of await addOrNote(tx, missing())) ids.set(name, id)
      for (const [name, id] of ids) remembered.set(name, id)
      return ids
    },
  }
}

/** Sorted, so that two recorders that add the same names never deadlock. */
function missingOf(names: ReadonlySet<string>, ids: ReadonlyMap<string, number>): string[] {
  return [...names].filter(name => !ids.has(name)).sort()
}

interface Name {
  readonly name: string
  readonly round: number
}

interface NameRow {
  readonly id: number
  readonly name: string
  readonly used_in: number
}

function compileFind(tx: Tx, names: readonly Name[]): CompiledQuery<NameRow> {
  return tx
    .selectFrom('visit_names')
    .selectAll()
    .where(
      'name',
      'in',
      names.map(({ name }) => name),
    )
    .compile()
}

/** In one statement, so that a name is either added and noted, or not there at all. */
function compileAddOrNote(tx: Tx, names: readonly Name[]): CompiledQuery<NameRow> {
  return tx
    .insertInto('visit_names')
    .columns(['name', 'used_in'])
    .values(names.map(({ name, round }) => ({ name, used_in: round })))
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet(({ ref }) => ({ used_in: ref('excluded.used_in') })),
    )
    .returningAll()
    .compile()
}
