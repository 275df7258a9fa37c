import { ActionIcon, Anchor, Tooltip } from '@mantine/core'
import { Link as PageLink } from '@tanstack/react-router'
import type { Link } from '../../../api/links/links.ts'
import { CopyButton } from '../../../shared/copy/copy-button.tsx'
import { IconExternalLink } from '../../../shared/icons/icons.ts'
import { Columns } from '../../../shared/shown/columns.tsx'
import { formatAgo, formatMoment, formatNumber } from '../../../shared/text/format.ts'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import { texts } from '../../../texts.ts'
import { StatusBadge } from '../list/status-badge.tsx'
import classes from './link-page.module.css'

/** The facts about a link, and its short URL to copy. */
export function LinkFacts({ link }: { readonly link: Link }) {
  const { id, shortUrl, status, visits, createdAt } = link
  return (
    <section className={classes.facts} aria-label={texts.editLink.facts}>
      <span className={classes.take}>
        <CopyButton text={shortUrl} label={texts.links.copyLink(withoutScheme(shortUrl))} />
        <Tooltip label={texts.editLink.open}>
          <ActionIcon
            component="a"
            href={shortUrl}
            target="_blank"
            rel="noreferrer"
            variant="subtle"
            color="gray"
            c="dimmed"
            aria-label={texts.editLink.open}
          >
            <IconExternalLink size={18} />
          </ActionIcon>
        </Tooltip>
      </span>
      <StatusBadge status={status} />
      <Columns link={link} />
      <Anchor
        inherit
        renderRoot={props => <PageLink {...props} to="/links/$id/analytics" params={{ id }} />}
      >
        {texts.links.visits(visits.total, formatNumber(visits.total))}
      </Anchor>
      {visits.undated !== undefined && (
        <span>{texts.analytics.undatedOf(formatNumber(visits.undated))}</span>
      )}
      <time dateTime={createdAt} title={formatMoment(createdAt)}>
        {texts.editLink.created(formatAgo(createdAt))}
      </time>
    </section>
  )
}
