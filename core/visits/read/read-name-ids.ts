import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database } from '../../storage/database.ts'

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
