import { type Context, publicId, z } from '../../core/plugin.ts'
import { shownNameAndColor } from './name-and-color.ts'
import type { Thing } from './named-things.ts'

/** A row of a campaign, with moments in ms since 1970 UTC. */
export interface Campaign extends Thing {
  readonly description: string | null
  readonly starts_at: number | null
  readonly ends_at: number | null
}

/** A campaign as the API shows it. */
export const campaignSchema = z.strictObject({
  id: z.string().meta({ examples: ['cmp_Gv8J65Sxcr'] }),
  ...shownNameAndColor,
  description: z.string().nullable(),
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  linksCount: z.int().min(0),
  visits: z.int().min(0).meta({ description: 'Visits of all its links.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

/** Returns campaigns as the API shows them, in the same order. */
export async function showCampaigns(
  rows: readonly Campaign[],
  context: Pick<Context, 'db' | 'unstable'>,
): Promise<readonly z.input<typeof campaignSchema>[]> {
  const visits = await visitsOf(rows, context)
  return rows.map(row => showCampaign(row, visits.get(row.id) ?? 0))
}

/** Returns a campaign as the API shows it, given the number of its visits. */
function showCampaign(row: Campaign, visits: number): z.input<typeof campaignSchema> {
  return {
    id: publicId('cmp', row.id),
    name: row.name,
    description: row.description,
    color: row.color,
    startsAt: momentOf(row.starts_at),
    endsAt: momentOf(row.ends_at),
    linksCount: Number(row.links_count),
    visits,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** Returns the number of visits by row id. Campaigns without visits are left out. */
async function visitsOf(
  rows: readonly Campaign[],
  { db, unstable }: Pick<Context, 'db' | 'unstable'>,
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  return unstable.links.visitsBy(
    db
      .selectFrom('organization_campaigns_links')
      .select(['link_id', 'campaign_id as group_id'])
      .where('campaign_id', 'in', ids),
  )
}

function momentOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
