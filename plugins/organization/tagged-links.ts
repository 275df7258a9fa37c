import {
  type Context,
  compileOnce,
  type LinkRows,
  type LinkView,
  type Places,
  publicId,
  type Refusal,
  readPublicId,
  refuse,
  type SavedLink,
  z,
} from '../../core/plugin.ts'

type Db = Context['db']

/** How many tags a link can have, and a filter can name. */
export const maxTagsEach = 50

/** The ids of a link's tags. What clears needs no plan, and null is what clears. */
export const tagIdsSchema = z
  .array(z.string().max(100))
  .max(maxTagsEach)
  .transform(ids => (ids.length === 0 ? null : ids))

/** What a link shows of its tags. */
export const tagsOfLinkSchema = z.array(
  z.strictObject({ id: z.string(), name: z.string(), color: z.string() }),
)

/** How links are listed by tag. */
export const tagFilter = z.object({
  tagIds: z
    .preprocess(
      splitList,
      z.array(z.string()).max(maxTagsEach).refine(areTagIds, 'Must be ids of tags.'),
    )
    .meta({ description: 'Ids of tags, repeated or with commas.' })
    .optional(),
  tagsMode: z
    .enum(['any', 'all'])
    .meta({ description: 'Which of them a link must have; `any` unless said.' })
    .optional(),
})

/** Put these tags on a link, and no others. Refused: a tag that its account does not have. */
export async function tagLink(
  db: Db,
  { rowId, accountId }: SavedLink,
  ids: readonly string[],
): Promise<Refusal | undefined> {
  const tagRows = await findTagRows(db, accountId, ids)
  const unknown = ids.findIndex(id => !tagRows.has(readPublicId('tag', id)))
  if (unknown !== -1) {
    return refuse('validation_failed', 'There is no such tag.', 422, `tagIds[${unknown}]`)
  }
  await db.deleteFrom('organization_tags_links').where('link_id', '=', rowId).execute()
  const rows = [...tagRows].map(tag_id => ({ tag_id, link_id: rowId }))
  if (rows.length > 0) await db.insertInto('organization_tags_links').values(rows).execute()
  return undefined
}

/** The tags of each link, by name. */
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

/** The links that have these tags; undefined when none is asked for. */
export function linksWithTags(
  db: Db,
  { tagIds, tagsMode }: z.output<typeof tagFilter>,
): LinkRows | undefined {
  if (!tagIds) return undefined
  const wanted = [...new Set(tagIds)].map(id => readPublicId('tag', id))
  const tagged = db
    .selectFrom('organization_tags_links')
    .select('link_id')
    .where('tag_id', 'in', wanted)
  if (tagsMode !== 'all') return tagged
  return tagged.groupBy('link_id').having(({ fn }) => fn.countAll(), '=', wanted.length)
}

/** Rows of those tags that the account has. */
async function findTagRows(
  db: Db,
  accountId: number,
  ids: readonly string[],
): Promise<ReadonlySet<number | undefined>> {
  const wanted = ids.flatMap(id => readPublicId('tag', id) ?? [])
  if (wanted.length === 0) return new Set()
  const rows = await db
    .selectFrom('organization_tags')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', wanted)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** `a,b` -> `['a', 'b']`; a repeated parameter is a list already. */
function splitList(sent: unknown): readonly unknown[] {
  return [sent].flat().flatMap(it => (typeof it === 'string' ? it.split(',') : [it]))
}

function areTagIds(ids: readonly string[]): boolean {
  return ids.every(id => readPublicId('tag', id) !== undefined)
}
