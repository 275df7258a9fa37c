import {
  type Context,
  compileOnce,
  type LinkRows,
  type LinkView,
  type Places,
  publicId,
  queryList,
  type Refusal,
  readPublicId,
  refuse,
  type SavedLink,
  z,
} from '../../../core/plugin.ts'

type Db = Context['db']

/** Maximum number of tags of a link, and of tags in a filter. */
export const maxTagsEach = 50

/** Ids of tags. An empty list becomes null: null clears the field, which is allowed on every plan. */
export const tagIdsSchema = z
  .array(z.string().max(100))
  .max(maxTagsEach)
  .transform(ids => (ids.length === 0 ? null : ids))

/** The tags of a link, as the API shows them. */
export const tagsOfLinkSchema = z.array(
  z.strictObject({ id: z.string(), name: z.string(), color: z.string() }),
)

/** The query parameters that filter links by tag. */
export const tagFilter = z.object({
  tagIds: queryList(z.array(z.string()).max(maxTagsEach).refine(areTagIds, 'Must be ids of tags.'))
    .meta({ description: 'Ids of tags, repeated or separated by commas.' })
    .optional(),
  tagsMode: z
    .enum(['any', 'all'])
    .meta({ description: 'Whether a link must have any or all of them; `any` if absent.' })
    .optional(),
})

/** A change to the tags of a link. */
export interface TagChange {
  /** All tags that the link has from now on; null or [] for none. */
  readonly tagIds?: readonly string[] | null
  readonly addTagIds?: readonly string[] | null
  readonly removeTagIds?: readonly string[] | null
}

/**
 * Changes the tags of a link: sets `tagIds`, then adds `addTagIds`, then removes `removeTagIds`. Refuses tags that its
 * account does not have, and more tags than a link can have.
 */
export async function tagLink(
  db: Db,
  { rowId, accountId }: SavedLink,
  change: TagChange,
): Promise<Refusal | undefined> {
  const { tagIds, addTagIds, removeTagIds } = change
  const named = [...(tagIds ?? []), ...(addTagIds ?? []), ...(removeTagIds ?? [])]
  const own = await findTagRows(db, accountId, named)
  const unknown = refuseUnknown(change, id => own.has(readPublicId('tag', id)))
  if (unknown) return unknown
  const before = tagIds === undefined ? await tagRowsOf(db, rowId) : []
  const added = rowsOf([...(tagIds ?? []), ...(addTagIds ?? [])])
  const removed = new Set(rowsOf(removeTagIds ?? []))
  const after = [...new Set([...before, ...added])].filter(row => !removed.has(row))
  if (after.length > maxTagsEach) return tooManyTags
  await db.deleteFrom('organization_tags_links').where('link_id', '=', rowId).execute()
  const rows = after.map(tag_id => ({ tag_id, link_id: rowId }))
  if (rows.length > 0) await db.insertInto('organization_tags_links').values(rows).execute()
  return undefined
}

const tooManyTags = refuse(
  'validation_failed',
  `A link can have ${maxTagsEach} tags at most.`,
  422,
  'addTagIds',
)

function refuseUnknown(change: TagChange, isOwn: (id: string) => boolean): Refusal | undefined {
  for (const name of ['tagIds', 'addTagIds', 'removeTagIds'] as const) {
    const index = (change[name] ?? []).findIndex(id => !isOwn(id))
    if (index === -1) continue
    return refuse('validation_failed', 'This tag does not exist.', 422, `${name}[${index}]`)
  }
  return undefined
}

async function tagRowsOf(db: Db, rowId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('organization_tags_links')
    .select('tag_id')
    .where('link_id', '=', rowId)
    .execute()
  return rows.map(({ tag_id }) => tag_id)
}

function rowsOf(ids: readonly string[]): readonly number[] {
  return ids.flatMap(id => readPublicId('tag', id) ?? [])
}

/** Returns the tags of each link, ordered by name. */
export async function tagsOfLinks(db: Db, links: readonly LinkView[]) {
  if (links.length === 0) return []
  const { rows } = await selectTags(db, { linkIds: links.map(({ rowId }) => rowId) })
  const tags = new Map<number, z.output<typeof tagsOfLinkSchema>>(
    links.map(({ rowId }) => [rowId, []]),
  )
  for (const { link_id, id, name, color } of rows) {
    tags.get(link_id)?.push({ id: publicId('tag', id), name, color })
  }
  return links.map(({ rowId }) => tags.get(rowId) ?? [])
}

const selectTags = compileOnce((db: Db, { linkIds }: Places<{ linkIds: readonly number[] }>) =>
  db
    .selectFrom('organization_tags_links')
    .innerJoin('organization_tags', 'id', 'tag_id')
    .select(['link_id', 'id', 'name', 'color'])
    .where('link_id', 'in', linkIds)
    .orderBy('folded_name'),
)

/** Selects the links that have these tags; undefined if the query names no tags. */
export function linksWithTags(
  db: Db,
  { tagIds, tagsMode }: z.output<typeof tagFilter>,
): LinkRows | readonly LinkRows[] | undefined {
  if (!tagIds) return undefined
  const wanted = [...new Set(tagIds)].map(id => readPublicId('tag', id))
  return tagsMode === 'all' ? wanted.map(it => taggedWith(db, [it])) : taggedWith(db, wanted)
}

/** Selects the links that have any of these tags. */
export function taggedWith(db: Db, rows: readonly (number | undefined)[]): LinkRows {
  return db.selectFrom('organization_tags_links').select('link_id').where('tag_id', 'in', rows)
}

/** How many links have a tag. */
export async function countLinks(db: Db, tag: number): Promise<number> {
  const { links } = await db
    .selectFrom('organization_tags_links')
    .select(({ fn }) => fn.countAll().as('links'))
    .where('tag_id', '=', tag)
    .executeTakeFirstOrThrow()
  return Number(links)
}

/** Returns the row ids of those tags that belong to the account. */
async function findTagRows(
  db: Db,
  accountId: number,
  ids: readonly string[],
): Promise<ReadonlySet<number | undefined>> {
  const wanted = rowsOf(ids)
  if (wanted.length === 0) return new Set()
  const rows = await db
    .selectFrom('organization_tags')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', wanted)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

function areTagIds(ids: readonly string[]): boolean {
  return ids.every(id => readPublicId('tag', id) !== undefined)
}
