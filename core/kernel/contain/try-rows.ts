import type { Context, LinkRows } from '../../plugin.ts'
import { checks } from './checks-of-hooks.ts'

/**
 * The query that a plugin returned. Throws what is wrong with it: one that the database refuses would fail later, as a
 * part of a query of the core, without the plugin's name.
 */
export async function tryRows<T extends LinkRows | undefined>(
  rows: T,
  { db }: Pick<Context, 'db'>,
): Promise<T> {
  const wrong = checks.query(rows)
  if (wrong !== undefined) throw new Error(wrong)
  const isIn = (it: LinkRows) => db.selectNoFrom(eb => eb(eb.val(0), 'in', it).as('is_in'))
  if (rows) await isIn(rows).limit(0).execute()
  return rows
}
