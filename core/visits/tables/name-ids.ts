import type { CompiledQuery } from 'kysely'
import { createLru } from '../../lib/memory/lru.ts'
import type { Tx } from '../../storage/database.ts'
import { roundOf } from './name-round.ts'
import { rowsStatement } from './rows-statement.ts'

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
        // To those that are noted already nothing needs to be written.
        if (used_in === round) ids.set(name, id)
      }
      for (const { id, name } of await addOrNote(tx, missing())) ids.set(name, id)
      for (const [name, id] of ids) remembered.set(name, id)
      return ids
    },
  }
}

/** Sorted, so that two recorders that add the same names do not wait for each other in a circle. */
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

/** In one statement, so that a name is there and noted, or is not there. */
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
