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
} from '../../../core/plugin.ts'

type Db = Context['db']

/** The campaign of a link, as the API shows it. */
export const campaignOfLinkSchema = z.strictObject({ id: z.string(), name: z.string() }).nullable()

/** The query parameter that lists the links of a campaign. */
export const campaignFilter = z.object({
  campaignId: z
    .string()
    .refine(id => readPublicId('cmp', id) !== undefined, 'Must be the id of a campaign.')
    .optional()
    .meta({ description: 'Only links in this campaign.' }),
})

/** Puts a link into a campaign, or takes it out if `id` is null. Refuses a campaign that its account does not have. */
export async function placeLink(
  db: Db,
  link: SavedLink,
  id: string | null,
): Promise<Refusal | undefined> {
  const campaign = id === null ? undefined : await findCampaignRow(db, link.accountId, id)
  if (id !== null && !campaign) {
    return refuse('validation_failed', 'This campaign does not exist.', 422, 'campaignId')
  }
  await db.deleteFrom('organization_campaigns_links').where('link_id', '=', link.rowId).execute()
  if (campaign) {
    const row = { link_id: link.rowId, campaign_id: campaign.id }
    await db.insertInto('organization_campaigns_links').values(row).execute()
  }
  return undefined
}

/** Returns the campaign of each link. */
export async function campaignsOfLinks(db: Db, links: readonly LinkView[]) {
  if (links.length === 0) return []
  const { rows } = await selectCampaigns(db, { linkIds: links.map(({ rowId }) => rowId) })
  const shown = new Map(
    rows.map(({ link_id, id, name }) => [link_id, { id: publicId('cmp', id), name }]),
  )
  return links.map(({ rowId }) => shown.get(rowId) ?? null)
}

const selectCampaigns = compileOnce((db: Db, { linkIds }: Places<{ linkIds: readonly number[] }>) =>
  db
    .selectFrom('organization_campaigns_links')
    .innerJoin('organization_campaigns', 'id', 'campaign_id')
    .select(['link_id', 'id', 'name'])
    .where('link_id', 'in', linkIds),
)

/** Selects the links of a campaign; undefined if the query names no campaign. */
export function linksInCampaign(
  db: Db,
  { campaignId }: z.output<typeof campaignFilter>,
): LinkRows | undefined {
  if (campaignId === undefined) return undefined
  return db
    .selectFrom('organization_campaigns_links')
    .select('link_id')
    .where('campaign_id', '=', readPublicId('cmp', campaignId))
}

async function findCampaignRow(
  db: Db,
  accountId: number,
  id: string,
): Promise<{ readonly id: number } | undefined> {
  const rowId = readPublicId('cmp', id)
  if (rowId === undefined) return undefined
  return db
    .selectFrom('organization_campaigns')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', rowId)
    .executeTakeFirst()
}
