import { type Caller, isRefusal, type Json, notFound, refuse } from '../../../core/plugin.ts'
import { detailsOf, type Own, type Row, table } from './entries.ts'

/** What the API shows of a link and nobody can write, or not in this way. */
const shownOnly = ['id', 'shortUrl', 'createdAt', 'updatedAt', 'domain', 'hasPassword']

const cannotBeUndone = refuse(
  'cannot_be_undone',
  'This cannot be undone: the log does not have what was there before.',
  409,
)

/** Gives a link the values back that a change took from it, or brings a deleted one back. */
export async function undo(id: number, caller: Caller, { db, links }: Own) {
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
  const { change, left } = changeOf(row)
  const undone = Object.keys(change)
  if (undone.length === 0) return cannotBeUndone
  const updated = await links.update(caller, row.thing, change)
  return isRefusal(updated) ? updated : { data: { undone, left } }
}

function changeOf(row: Row) {
  const { before, changed } = detailsOf(row)
  const change: Record<string, Json> = {}
  const left: string[] = []
  for (const name of changed) {
    if (shownOnly.includes(name)) continue
    const value = before?.[name]
    if (value === undefined) left.push(name)
    else change[name] = value
  }
  return { change, left }
}
