import type { CompiledQuery } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import { createLru } from '../../lib/memory/lru.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'
import type { NameTable } from '../wire/name-table.ts'
import { rowsStatement } from './rows-by-key.ts'

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
  const find = rowsStatement(compileFind)
  const addOrNote = rowsStatement(compileAddOrNote)
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
      const unknown = missingOf(names, ids).map(name => [name] as const)
      for (const { id, name, used_in } of await find(tx, unknown)) {
        // Names that are noted already need no write.
        if (used_in === round) ids.set(name, id)
      }
      const unnoted = missingOf(names, ids).map(name => [name, round] as const)
      for (const { id, name } of await addOrNote(tx, unnoted)) ids.set(name, id)
      for (const [name, id] of ids) remembered.set(name, id)
      return ids
    },
  }
}

const roundKey = 'names.round'

/**
 * The latest round of tidying up, 0 before the first. Names are noted with the round in which they were last used,
 * because a clock that jumps would not tell their order.
 */
async function roundOf(tx: Tx): Promise<number> {
  return Number((await readMeta(tx, roundKey)) ?? 0)
}

/** Begins the next round, and returns its number. */
export async function beginRound(tx: Tx): Promise<number> {
  const round = (await roundOf(tx)) + 1
  await writeMeta(tx, roundKey, String(round))
  return round
}

/** Sorted, so that two recorders that add the same names never deadlock. */
function missingOf(names: ReadonlySet<string>, ids: ReadonlyMap<string, number>): string[] {
  return [...names].filter(name => !ids.has(name)).sort()
}

interface NameRow {
  readonly id: number
  readonly name: string
  readonly used_in: number
}

function compileFind(tx: Tx, names: readonly (readonly [string])[]): CompiledQuery<NameRow> {
  return tx
    .selectFrom('visit_names')
    .selectAll()
    .where(
      'name',
      'in',
      names.map(([name]) => name),
    )
    .compile()
}

/** In one statement, so that a name is either added and noted, or not there at all. */
function compileAddOrNote(
  tx: Tx,
  names: readonly (readonly [name: string, round: number])[],
): CompiledQuery<NameRow> {
  return tx
    .insertInto('visit_names')
    .columns(['name', 'used_in'])
    .values(names.map(([name, round]) => ({ name, used_in: round })))
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet(({ ref }) => ({ used_in: ref('excluded.used_in') })),
    )
    .returningAll()
    .compile()
}

/** The ids of names in the dictionary; what was never counted has none. */
export async function readNameIds(
  db: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await selectIds(db, { names })
  return new Map(rows.map(({ id, name }) => [name, id]))
}

const selectIds = compileOnce((db: Database, { names }: Places<{ names: readonly string[] }>) =>
  db.selectFrom('visit_names').select(['id', 'name']).where('name', 'in', names),
)

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
