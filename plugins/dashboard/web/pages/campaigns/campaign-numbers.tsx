import type { Campaign } from '../../api/links/campaigns.ts'
import { formatNumber } from '../../shared/text/format.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'
import classes from './campaign-numbers.module.css'
import { spanText, stateOf } from './campaign-span.ts'
import { StateBadge } from './state-badge.tsx'

/** The totals of a campaign. */
export function CampaignNumbers({ campaign }: { readonly campaign: Campaign }) {
  const { visits, linksCount } = campaign
  return (
    <dl className={classes.numbers}>
      <div>
        <dt>{campaignsTexts.visitsCount}</dt>
        <dd>{formatNumber(visits)}</dd>
      </div>
      <div>
        <dt>{campaignsTexts.linksCount}</dt>
        <dd>{formatNumber(linksCount)}</dd>
      </div>
      {linksCount > 0 && (
        <div>
          <dt>{campaignsTexts.perLink}</dt>
          <dd>{formatNumber(Math.round(visits / linksCount))}</dd>
        </div>
      )}
      <div>
        <dt>{campaignsTexts.when}</dt>
        <dd className={classes.words}>
          {spanText(campaign) ?? campaignsTexts.always}
          <StateBadge state={stateOf(campaign)} />
        </dd>
      </div>
    </dl>
  )
}
