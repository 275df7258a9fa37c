import type { Kysely } from 'kysely'
import { inChunks } from '../../lib/chunks.ts'
import { textOf } from '../../links/link-text.ts'
import { readMeta, writeMeta } from '../meta.ts'
import type { Schema } from '../schema.ts'

/** How many links to fill at a time, which takes a fraction of a second. */
const atOnce = 5_000

/** The key of the progress while this is under way: the last link that has its text. */
const progressKey = 'link_texts_up_to'

/** A step of the schema: gives links the text that they are searched by, some at a time. */
export async function fillLinkTexts(database: Kysely<unknown>): Promise<string | undefined> {
  const db = database as Kysely<Schema>
  const upTo = Number((await readMeta(db, progressKey)) ?? 0)
  const links = await db
    .selectFrom('links')
    .select(['id', 'account_id', 'original_url', 'title', 'notes'])
    .where('id', '>', upTo)
    .orderBy('id')
    .limit(atOnce)
    .execute()
  const last = links.at(-1)
  if (last === undefined) {
    await db.deleteFrom('meta').where('key', '=', progressKey).execute()
    return undefined
  }
  const codes = await codesOf(db, upTo, last.id)
  const texts = links.map(({ id, account_id, original_url: originalUrl, title, notes }) => {
    const text = textOf({ originalUrl, title, notes }, codes.get(id) ?? [])
    return { account_id, link_id: id, text }
  })
  for (const some of inChunks(texts)) {
    await db.insertInto('link_texts').values(some).execute()
  }
  await writeMeta(db, progressKey, String(last.id))
  return `Preparing links for the search: up to number ${last.id} of ${await lastLink(db)}.`
}

/** All codes of the links in a range, by link, oldest first. */
async function codesOf(
  db: Kysely<Schema>,
  after: number,
  upTo: number,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db
    .selectFrom('short_codes')
    .select(['link_id', 'code'])
    .where('link_id', '>', after)
    .where('link_id', '<=', upTo)
    .orderBy('link_id')
    .orderBy('created_at')
    .execute()
  const codes = new Map<number, string[]>()
  for (const { link_id, code } of rows) {
    if (link_id !== null) codes.set(link_id, [...(codes.get(link_id) ?? []), code])
  }
  return codes
}

async function lastLink(db: Kysely<Schema>): Promise<number> {
  const { last } = await db
    .selectFrom('links')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return last
}
