import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Dot } from '../../shared/icons/dot.tsx'
import things from '../../shared/lists/things.module.css'
import { formatNumber } from '../../shared/text/format.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { CampaignMenu, type CampaignProps } from './campaign-menu.tsx'
import classes from './campaign-row.module.css'
import { spanText, stateOf } from './campaign-span.ts'
import { StateBadge } from './state-badge.tsx'

/** A campaign with its dates and totals, which links to its page. */
export function CampaignRow({ campaign, onEdit }: CampaignProps) {
  const { id, name, color, description, visits, linksCount } = campaign
  const span = spanText(campaign)
  return (
    <li className={classes.row}>
      <Dot color={color} />
      <div className={things.what}>
        <div className={things.name}>
          <Anchor renderRoot={props => <Link {...props} to="/campaigns/$id" params={{ id }} />}>
            {name}
          </Anchor>
          <StateBadge state={stateOf(campaign)} />
        </div>
        {(span || description) && (
          <div className={classes.about}>
            {span && <span>{span}</span>}
            {description && <span className={classes.description}>{description}</span>}
          </div>
        )}
      </div>
      <div className={`${things.numbers} ${classes.numbers}`}>
        <div>{campaignsTexts.visits(visits, formatNumber(visits))}</div>
        <div className={classes.links}>
          {campaignsTexts.links(linksCount, formatNumber(linksCount))}
        </div>
      </div>
      <CampaignMenu campaign={campaign} onEdit={onEdit} />
    </li>
  )
}
