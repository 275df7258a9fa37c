import { type Caller, isRefusal, type Json, notFound, refuse, z } from '../../../core/plugin.ts'
import { detailsOf, type OwnContext, type Row, table } from './entries.ts'
import type { Entry } from './show.ts'

/** What the API shows of a link and nobody can write. */
const shownOnly = ['id', 'shortUrl', 'createdAt', 'updatedAt', 'hasPassword']
/** A link moves to another domain with what is set up there. */
const notBack = [...shownOnly, 'domain']

const cannotBeUndone = refuse(
  'cannot_be_undone',
  'This cannot be undone: the log does not have what was there before.',
  409,
)

/** What links show as things of the account: the field that is given their ids, and where they are, unless they were deleted. */
const things = new Map([
  ['tags', { field: 'tagIds', path: '/tags' }],
  ['campaign', { field: 'campaignId', path: '/campaigns' }],
])

/** Whether there is anything that an undo would bring back, as far as an entry says. `isThere`: the link is. */
export function canBeUndone({ type, before, changed }: Entry, isThere: boolean): boolean {
  if (type === 'link.deleted') return !isThere
  const has = (name: string) => before?.[name] !== undefined && !notBack.includes(name)
  return type === 'link.updated' && isThere && changed.some(has)
}

/** Gives a link the values back that a change took from it, or brings a deleted one back. */
export async function undo(id: number, caller: Caller, context: OwnContext) {
  const { db, links } = context
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .where('type', 'in', ['link.updated', 'link.deleted'])
    .executeTakeFirst()
  if (!row?.thing) return notFound
  if (row.type === 'link.deleted') {
    const restored = await links.restore(caller, row.thing)
    return isRefusal(restored) ? restored : { data: { undone: ['deleted'], left: [] } }
  }
  const { change, left } = await changeOf(row, caller, context)
  const undone = Object.keys(change)
  if (undone.length === 0) return cannotBeUndone
  const updated = await links.update(caller, row.thing, change)
  return isRefusal(updated) ? updated : { data: { undone, left } }
}

async function changeOf(row: Row, caller: Caller, context: OwnContext) {
  const { before, changed } = detailsOf(row)
  const change: Record<string, Json> = {}
  const left: string[] = []
  for (const name of changed) {
    if (shownOnly.includes(name)) continue
    const value = notBack.includes(name) ? undefined : before?.[name]
    const thing = things.get(name)
    if (value === undefined) left.push(name)
    else if (!thing) change[name] = value
    else {
      const ids = idsOf(value)
      const there = await thereOf(ids, thing.path, caller, context)
      if (there.length < ids.length) left.push(name)
      if (there.length === 0 && ids.length > 0) continue
      change[thing.field] = Array.isArray(value) ? there : (there[0] ?? null)
    }
  }
  return { change, left }
}

const named = z.array(z.object({ id: z.string() }))

/** Of several things, of one, or of none. */
function idsOf(value: Json): readonly string[] {
  return named.parse(value === null ? [] : [value].flat()).map(({ id }) => id)
}

/** Those that were not deleted since. */
async function thereOf(
  ids: readonly string[],
  path: string,
  { accountId }: Caller,
  { unstable }: OwnContext,
): Promise<string[]> {
  const there: string[] = []
  for (const id of ids) {
    const { status } = await unstable.callApi(accountId, 'GET', `${path}/${id}`)
    if (status >= 500) throw new Error(`${path} could not be read: ${status}`)
    if (status === 200) there.push(id)
  }
  return there
}
