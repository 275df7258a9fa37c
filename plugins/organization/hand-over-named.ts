import { randomInt } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type Context, type HandedOver, newRowId } from '../../core/plugin.ts'
import { foldName } from './name-and-color.ts'

type Db = Context['db']

/** A row of a tag or a campaign, with whatever else its table has. */
interface Row extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly name: string
  readonly folded_name: string
}

/** Where things with names are, and which links are in them: by the column `linksKey` of `linksTable`. */
interface Where {
  readonly table: string
  readonly linksTable: string
  readonly linksKey: string
}

const maxName = 100

/**
 * Gives things with names to another account. All of them stay what they are, under another name where that account has one
 * of this name; with some links alone, these go into its thing of the same name, which is made if there is none.
 */
export async function handOverNamed(
  { db, now }: Pick<Context, 'db' | 'now'>,
  what: HandedOver,
  where: Where,
): Promise<undefined> {
  const at = now().getTime()
  if (what.links) await giveLinksIn(db, what, where, what.links, at)
  else await giveAll(db, what, where, at)
  return undefined
}

async function giveAll(
  db: Db,
  { from, to }: HandedOver,
  { table }: Where,
  at: number,
): Promise<void> {
  const ofBoth = await db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('account_id', '=', from)
    .where('folded_name', 'in', namesOf(db, table, to))
    .orderBy('id')
    .execute()
  for (const { id, name } of ofBoth as unknown as readonly Pick<Row, 'id' | 'name'>[]) {
    const free = await freeName(name, it => isTaken(db, table, [from, to], it))
    const renamed = { name: free, folded_name: foldName(free), updated_at: at }
    await db.updateTable(table).set(renamed).where('id', '=', id).execute()
    await turn()
  }
  for (let given = BigInt(rowsAtOnce); given === BigInt(rowsAtOnce); await turn()) {
    const some = db.selectFrom(table).select('id').where('account_id', '=', from).limit(rowsAtOnce)
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ account_id: to, updated_at: at })
      .where('id', 'in', some)
      .executeTakeFirstOrThrow()
    given = numUpdatedRows
  }
}

/** How many rows are given between two turns of the event loop, in which visitors are redirected. */
const rowsAtOnce = 500

function namesOf(db: Db, table: string, accountId: number) {
  return db.selectFrom(table).select('folded_name').where('account_id', '=', accountId)
}

async function isTaken(
  db: Db,
  table: string,
  accounts: readonly number[],
  name: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('account_id', 'in', accounts)
    .where('folded_name', '=', foldName(name))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * `Spring` -> `Spring 2`. Where the first numbers are taken, one by chance follows: whoever has thousands of such names would have
 * all of them looked up, one after another.
 */
async function freeName(
  name: string,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 2; ; number += 1) {
    const ending = ` ${number < 10 ? number : randomInt(100_000, 1_000_000)}`
    const free = `${[...name].slice(0, maxName - ending.length).join('')}${ending}`
    if (!(await isTaken(free))) return free
  }
}

async function giveLinksIn(
  db: Db,
  { from, to }: HandedOver,
  { table, linksTable, linksKey }: Where,
  links: readonly number[],
  at: number,
): Promise<void> {
  const withLinks = db.selectFrom(linksTable).select(linksKey).where('link_id', 'in', links)
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', from)
    .where('id', 'in', withLinks)
    .orderBy('id')
    .execute()
  for (const row of rows as unknown as readonly Row[]) {
    const known = await db
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', to)
      .where('folded_name', '=', row.folded_name)
      .executeTakeFirst()
    const id = (known?.id as number | undefined) ?? newRowId()
    if (known === undefined) {
      const made = { ...row, id, account_id: to, created_at: at, updated_at: at }
      await db.insertInto(table).values(made).execute()
    }
    await db
      .updateTable(linksTable)
      .set({ [linksKey]: id })
      .where(linksKey, '=', row.id)
      .where('link_id', 'in', links)
      .execute()
  }
}
