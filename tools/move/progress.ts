import { UserError } from '../../core/lib/user-error.ts'
import type { Database } from '../../core/storage/database.ts'
import { tableOfMove } from '../../core/storage/meta.ts'
import type { Key } from './table.ts'

export interface Progress {
  /** Begins the move of an instance, or goes on with it; throws `why` if another one is being moved here. */
  start(source: string, why: string): Promise<void>
  /** Whether the tables exist and contain only moved rows. */
  isClear(): Promise<boolean>
  setClear(): Promise<void>
  /** The key up to which a table was copied. */
  reached(table: string): Promise<Key | 'end' | undefined>
  reach(table: string, key: Key | 'end'): Promise<void>
}

type ProgressTables = {
  readonly linnet_move: { readonly key: string; readonly value: string }
}

/** The progress in a database that has its table, or in a transaction in it. */
export function progressIn(database: Database): Progress {
  const db = database.withTables<ProgressTables>()

  async function read(key: string): Promise<string | undefined> {
    const row = await db
      .selectFrom(tableOfMove)
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst()
    return row?.value
  }

  async function write(key: string, value: string): Promise<void> {
    await db
      .insertInto(tableOfMove)
      .values({ key, value })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }

  return {
    async start(source, why) {
      const before = await read('source')
      if (before === undefined) await write('source', source)
      else if (before !== source) throw new UserError(why)
    },
    isClear: async () => (await read('clear')) !== undefined,
    setClear: () => write('clear', 'yes'),
    async reached(table) {
      const text = await read(`table ${table}`)
      return text === undefined ? undefined : (JSON.parse(text, asBytes) as Key | 'end')
    },
    reach: (table, key) => write(`table ${table}`, JSON.stringify(key)),
  }
}

export async function makeProgressTable({ schema }: Database): Promise<void> {
  await schema
    .createTable(tableOfMove)
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()
}

/** Turns the JSON form of a `Buffer` back into bytes. */
function asBytes(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'type' in value && 'data' in value
  return isBytes && value.type === 'Buffer' ? Buffer.from(value.data as number[]) : value
}
