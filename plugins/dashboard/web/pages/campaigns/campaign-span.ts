import type { Campaign } from '../../api/links/campaigns.ts'
import { formatDate } from '../../shared/text/format.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'

export type CampaignState = keyof typeof campaignsTexts.states

type Span = Pick<Campaign, 'startsAt' | 'endsAt'>

/** The dates of a campaign in words; undefined if it has none. */
export function spanText({ startsAt, endsAt }: Span): string | undefined {
  const start = startsAt && formatDate(startsAt)
  const end = endsAt && formatDate(endsAt)
  if (start && end) return start === end ? start : campaignsTexts.span(start, end)
  if (start) return campaignsTexts.from(start)
  return end ? campaignsTexts.until(end) : undefined
}

/** Whether a campaign is running at `now`, in milliseconds; undefined without dates. */
export function stateOf({ startsAt, endsAt }: Span, now = Date.now()): CampaignState | undefined {
  if (startsAt === null && endsAt === null) return undefined
  if (startsAt !== null && Date.parse(startsAt) > now) return 'upcoming'
  return endsAt !== null && Date.parse(endsAt) <= now ? 'ended' : 'running'
}
