import { Anchor, Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link as PageLink } from '@tanstack/react-router'
import type { Campaign } from '../../api/links/campaigns.ts'
import { type Link, linksQuery } from '../../api/links/links.ts'
import { CopyButton } from '../../shared/copy/copy-button.tsx'
import { Rows } from '../../shared/lists/rows.tsx'
import things from '../../shared/lists/things.module.css'
import { TryAgain } from '../../shared/notices/try-again.tsx'
import { formatNumber } from '../../shared/text/format.ts'
import { withoutScheme } from '../../shared/text/without-scheme.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { texts } from '../../texts.ts'
import classes from './campaign-links.module.css'

const shownLinks = 10

/** The most visited links of a campaign, and a link to all of them. */
export function CampaignLinks({ campaign: { id } }: { readonly campaign: Campaign }) {
  const { data, error, refetch } = useQuery(
    linksQuery({ campaign_id: id, sort: '-visits', per_page: shownLinks }),
  )
  if (!data) return error ? <TryAgain error={error} onRetry={refetch} /> : <Rows />
  return (
    <section aria-labelledby="links-of-campaign">
      <div className={classes.head}>
        <Title order={2} size="h3" id="links-of-campaign">
          {campaignsTexts.topLinks}
        </Title>
        {data.total > 0 && (
          <Anchor
            renderRoot={props => <PageLink {...props} to="/links" search={{ campaign: id }} />}
          >
            {campaignsTexts.allLinks}
          </Anchor>
        )}
      </div>
      {data.total === 0 ? (
        <>
          <p>{campaignsTexts.noLinks}</p>
          <Button variant="default" renderRoot={props => <PageLink {...props} to="/links" />}>
            {campaignsTexts.toLinks}
          </Button>
        </>
      ) : (
        <ul className={things.list}>
          {data.links.map(link => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
      )}
    </section>
  )
}

function LinkRow({ link: { id, title, shortUrl, originalUrl, visits } }: { readonly link: Link }) {
  const short = withoutScheme(shortUrl)
  return (
    <li className={classes.row}>
      <div className={things.what}>
        <div className={classes.title}>
          <Anchor renderRoot={props => <PageLink {...props} to="/links/$id" params={{ id }} />}>
            {title ?? short}
          </Anchor>
          <CopyButton text={shortUrl} label={texts.links.copyLink(short)} />
        </div>
        <div className={classes.target}>{withoutScheme(originalUrl)}</div>
      </div>
      <Anchor
        className={things.numbers}
        c="inherit"
        renderRoot={props => <PageLink {...props} to="/links/$id/analytics" params={{ id }} />}
      >
        {campaignsTexts.visits(visits.total, formatNumber(visits.total))}
      </Anchor>
    </li>
  )
}
