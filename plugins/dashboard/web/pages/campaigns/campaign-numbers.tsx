import type { Campaign } from '../../api/campaigns.ts'
import { formatNumber } from '../../shared/format.ts'
import { texts } from '../../texts.ts'
import classes from './campaign-numbers.module.css'
import { spanText, stateOf } from './campaign-span.ts'
import { StateBadge } from './state-badge.tsx'

/** What a campaign adds up to. */
export function CampaignNumbers({ campaign }: { readonly campaign: Campaign }) {
  const { visits, linksCount } = campaign
  return (
    <dl className={classes.numbers}>
      <div>
        <dt>{texts.campaigns.visitsCount}</dt>
        <dd>{formatNumber(visits)}</dd>
      </div>
      <div>
        <dt>{texts.campaigns.linksCount}</dt>
        <dd>{formatNumber(linksCount)}</dd>
      </div>
      {linksCount > 0 && (
        <div>
          <dt>{texts.campaigns.perLink}</dt>
          <dd>{formatNumber(Math.round(visits / linksCount))}</dd>
        </div>
      )}
      <div>
        <dt>{texts.campaigns.when}</dt>
        <dd className={classes.words}>
          {spanText(campaign) ?? texts.campaigns.always}
          <StateBadge state={stateOf(campaign)} />
        </dd>
      </div>
    </dl>
  )
}
