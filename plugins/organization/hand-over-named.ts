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
  const [theirs, taken] = [await rowsOf(db, table, from), await rowsOf(db, table, to)]
  const names = new Set([...theirs, ...taken].map(it => it.folded_name))
  const known = new Set(taken.map(it => it.folded_name))
  for (const { id, name } of theirs.filter(it => known.has(it.folded_name))) {
    const free = freeName(name, names)
    names.add(foldName(free))
    const renamed = { name: free, folded_name: foldName(free), updated_at: at }
    await db.updateTable(table).set(renamed).where('id', '=', id).execute()
  }
  await db
    .updateTable(table)
    .set({ account_id: to, updated_at: at })
    .where('account_id', '=', from)
    .execute()
}

/** `Spring` -> `Spring 2` */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const ending = ` ${number}`
    const free = `${[...name].slice(0, maxName - ending.length).join('')}${ending}`
    if (!taken.has(foldName(free))) return free
  }
}

async function giveLinksIn(
  db: Db,
  { from, to }: HandedOver,
  { table, linksTable, linksKey }: Where,
  links: readonly number[],
  at: number,
): Promise<void> {
  const taken = new Map((await rowsOf(db, table, to)).map(it => [it.folded_name, it.id]))
  for (const row of await rowsOf(db, table, from)) {
    const inIt = db
      .selectFrom(linksTable)
      .select('link_id')
      .where(linksKey, '=', row.id)
      .where('link_id', 'in', links)
    if (!(await inIt.limit(1).executeTakeFirst())) continue
    const known = taken.get(row.folded_name)
    const id = known ?? newRowId()
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

async function rowsOf(db: Db, table: string, accountId: number): Promise<readonly Row[]> {
  const rows = db.selectFrom(table).selectAll().where('account_id', '=', accountId)
  return (await rows.orderBy('id').execute()) as unknown as readonly Row[]
}
