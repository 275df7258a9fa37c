import {
  type Context,
  definePlugin,
  endpoint,
  field,
  isRefusal,
  lines,
  listOf,
  listSchema,
  momentSchema,
  pageQuery,
  refuse,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import {
  campaignFilter,
  campaignOfLinkSchema,
  campaignsOfLinks,
  linksInCampaign,
  placeLink,
} from './campaign-links.ts'
import { makeCampaignTables } from './campaign-tables.ts'
import { colorSchema, nameSchema, searchSchema } from './name-and-color.ts'
import { ownThings } from './own-things.ts'
import { type Campaign, campaignSchema, showCampaign, showCampaigns } from './show-campaign.ts'

const campaigns = ownThings<Campaign>({
  word: 'campaign',
  idKind: 'cmp',
  table: 'organization_campaigns',
  linksTable: 'organization_campaigns_links',
  linksKey: 'campaign_id',
})

const moment = momentSchema().nullable().optional()
const newCampaign = z.strictObject({
  name: nameSchema,
  description: lines(2_000).nullable().optional(),
  color: colorSchema.optional(),
  startsAt: moment,
  endsAt: moment.meta({ description: 'After `starts_at`.' }),
})

const answer = z.strictObject({ data: campaignSchema })

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
      links: async (id, { accountId }, { db }) =>
        (await campaigns.find(db, accountId, id)) && linksInCampaign(db, { campaignId: id }),
    },
  },
  limits: { maxCampaigns: { label: 'Campaigns', used: 'campaignsCount' } },
  usage: { campaignsCount: (accountId, { db }) => campaigns.count(db, accountId) },

  endpoints: {
    'POST /campaigns': endpoint({
      summary: 'Create a campaign',
      scope: 'campaigns:write',
      body: newCampaign,
      answer,
      status: 201,
      limit: 'maxCampaigns',
      async handle({ caller, body: { name, description = null, color, ...times } }, { db, now }) {
        const span = spanOf(times)
        if (isBackwards(span)) return backwards
        const values = { name, description, color, ...span }
        const campaign = await campaigns.add(db, caller.accountId, values, now())
        return isRefusal(campaign) ? campaign : { data: showCampaign(campaign, 0) }
      },
    }),
    'GET /campaigns': endpoint({
      summary: 'List your campaigns, by name',
      scope: 'campaigns:read',
      query: pageQuery.extend({ search: searchSchema }),
      answer: listSchema(campaignSchema),
      async handle({ caller, query }, context) {
        const page = { ...sliceOf(query), search: query.search }
        const { rows, total, next } = await campaigns.list(context.db, caller.accountId, page)
        return listOf(await showCampaigns(rows, context), total, query, '/api/v1/campaigns', next)
      },
    }),
    'GET /campaigns/:id': endpoint({
      summary: 'Show a campaign',
      scope: 'campaigns:read',
      answer,
      version: ({ data: { linksCount, visits, ...campaign } }) => campaign,
      async handle({ caller, params: { id = '' } }, context) {
        const campaign = await campaigns.find(context.db, caller.accountId, id)
        return campaign && showOne(campaign, context)
      },
    }),
    'PATCH /campaigns/:id': endpoint({
      summary: 'Change a campaign',
      scope: 'campaigns:write',
      body: newCampaign.partial(),
      answer,
      async handle({ caller, params: { id = '' }, body }, context) {
        const before = await campaigns.find(context.db, caller.accountId, id)
        if (!before) return
        const { startsAt, endsAt, ...values } = body
        // Both ends are written together, so that two simultaneous changes cannot put the end before the start.
        const span = spanOf({ startsAt, endsAt }, before)
        if (isBackwards(span)) return backwards
        const changed = await campaigns.change(
          context.db,
          caller.accountId,
          before,
          { ...values, ...span },
          context.now(),
        )
        return isRefusal(changed) ? changed : showOne(changed, context)
      },
    }),
    'DELETE /campaigns/:id': endpoint({
      summary: 'Delete a campaign, and keep its links',
      scope: 'campaigns:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller, params: { id = '' } }, { db }) {
        return (await campaigns.remove(db, caller.accountId, id)) ? {} : undefined
      },
    }),
  },
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

async function showOne(campaign: Campaign, context: Context) {
  const [data] = await showCampaigns([campaign], context)
  return data && { data }
}
