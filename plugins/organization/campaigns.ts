import {
  collection,
  definePlugin,
  field,
  lines,
  momentSchema,
  refuse,
  z,
} from '../../core/plugin.ts'
import {
  campaignFilter,
  campaignOfLinkSchema,
  campaignsOfLinks,
  linksInCampaign,
  placeLink,
} from './campaigns/campaign-links.ts'
import { makeCampaignTables } from './campaigns/campaign-tables.ts'
import { handOverNamed } from './hand-over-named.ts'
import { colorSchema, nameSchema, nextColor } from './name-and-color.ts'
import { byName, namedColumns, searchByName, withLinksCount } from './named-things.ts'
import { type Campaign, campaignSchema, showCampaigns } from './show-campaign.ts'

const moment = momentSchema().nullable().optional()
const newCampaign = z.strictObject({
  name: nameSchema,
  description: lines(2_000).nullable().optional(),
  color: colorSchema.optional(),
  startsAt: moment,
  endsAt: moment.meta({ description: 'After `starts_at`.' }),
})

const table = 'organization_campaigns'
const inTables = { table, linksTable: 'organization_campaigns_links', linksKey: 'campaign_id' }

const campaigns = collection({
  ...byName('campaign'),
  path: '/campaigns',
  table,
  kind: 'campaign',
  idKind: 'cmp',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  summaries: {
    list: 'List your campaigns, by name',
    create: 'Create a campaign',
    show: 'Show a campaign',
    change: 'Change a campaign',
    delete: 'Delete a campaign, and keep its links',
  },
  unstable: {
    tools: {
      list: 'List the campaigns of the account, whose ids links take.',
      create: 'Create a campaign. Look first whether there is one of that name.',
    },
  },
  limit: 'maxCampaigns',
  dated: true,
  body: newCampaign,
  async create({ name, description = null, color, ...times }, { count }) {
    const span = spanOf(times)
    if (isBackwards(span)) return backwards
    const shade = color ?? nextColor(await count())
    return { ...namedColumns(name), description, color: shade, ...span }
  },
  change({ name, startsAt, endsAt, ...values }, before: Campaign) {
    const span = spanOf({ startsAt, endsAt }, before)
    return isBackwards(span) ? backwards : { ...namedColumns(name), ...values, ...span }
  },
  filter: searchByName,
  rows: db => withLinksCount(db, inTables),
  item: campaignSchema,
  show: showCampaigns,
  version: ({ linksCount, visits, ...campaign }) => campaign,
})

export default definePlugin({
  feature: 'organization.campaigns',
  about: 'Group links into campaigns, with combined statistics.',
  flag: 'campaignCreationEnabled',
  scopes: ['campaigns:read', 'campaigns:write'],
  fields: {
    campaignId: field(z.string().max(100), {
      label: 'Campaign',
      hint: 'Id of a campaign.',
      control: 'campaign',
      stored: false,
    }),
  },
  migrations: { '001-campaigns': makeCampaignTables },

  save: (link, { campaignId }, { db }) => placeLink(db, link, campaignId ?? null),
  computed: {
    schema: { campaign: campaignOfLinkSchema },
    of: async (links, { db }) =>
      (await campaignsOfLinks(db, links)).map(campaign => ({ campaign })),
    atFirst: { campaign: null },
  },
  filter: {
    query: campaignFilter.shape,
    where: (query, { db }) => linksInCampaign(db, query as z.output<typeof campaignFilter>),
  },
  groups: {
    '/campaigns': {
      summary: 'Statistics of all links of a campaign',
      links: async (id, caller, context) =>
        (await campaigns.find(caller, id, context)) &&
        linksInCampaign(context.db, { campaignId: id }),
    },
  },
  limits: { maxCampaigns: { label: 'Campaigns', used: 'campaignsCount' } },
  usage: { campaignsCount: campaigns.count },
  unstable: { handOver: (what, context) => handOverNamed(context, what, inTables) },
  endpoints: campaigns.endpoints,
})

type Span = Pick<Campaign, 'starts_at' | 'ends_at'>

const backwards = refuse('validation_failed', 'Must be after starts_at.', 422, 'endsAt')

function isBackwards({ starts_at, ends_at }: Span): boolean {
  return starts_at !== null && ends_at !== null && ends_at <= starts_at
}

/** Returns the start and end from a request. What the request omits stays as before. */
function spanOf(
  { startsAt, endsAt }: Pick<z.output<typeof newCampaign>, 'startsAt' | 'endsAt'>,
  before: Span = { starts_at: null, ends_at: null },
): Span {
  return {
    starts_at: startsAt === undefined ? before.starts_at : msOf(startsAt),
    ends_at: endsAt === undefined ? before.ends_at : msOf(endsAt),
  }
}

function msOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment)
}
