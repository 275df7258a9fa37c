import { Anchor, Checkbox, Tooltip } from '@mantine/core'
import { Link as PageLink, useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { main } from '../../../api/instance/manifest.ts'
import type { Link } from '../../../api/links/links.ts'
import { CopyButton } from '../../../shared/copy/copy-button.tsx'
import { IconCornerDownRight, IconLock, IconRoute } from '../../../shared/icons/icons.ts'
import { CampaignBadge, TagBadge } from '../../../shared/icons/tag-badge.tsx'
import { Columns } from '../../../shared/shown/columns.tsx'
import {
  formatAgo,
  formatCompact,
  formatMoment,
  formatNumber,
} from '../../../shared/text/format.ts'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import { texts } from '../../../texts.ts'
import classes from './link-card.module.css'
import { LinkMenu } from './link-menu.tsx'
import { StatusBadge } from './status-badge.tsx'
import { columnIn, type ListLook, type ListPart } from './use-list-look.ts'

export interface LinkCardProps {
  readonly link: Link
  readonly isSelected: boolean
  readonly look: ListLook
  onSelect(): void
}

/** One link in the list: its title, its short URL to copy, its original URL, its visits. */
export function LinkCard({ link, isSelected, look, onSelect }: LinkCardProps) {
  const { id, title, shortUrl, shortCode, originalUrl, visits, createdAt, status } = link
  const navigate = useNavigate()
  const short = withoutScheme(shortUrl)
  const open = (event: MouseEvent) => {
    if (isForRow(event)) void navigate({ to: '/links/$id', params: { id } })
  }
  const shows = (part: ListPart) => !look.hidden.includes(part)
  const host = short.slice(0, -shortCode.length - 1)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the title is a link to the same page
    <li
      className={classes.card}
      data-selected={isSelected || undefined}
      data-compact={look.isCompact || undefined}
      onClick={open}
    >
      <Checkbox
        className={classes.check}
        aria-label={texts.links.select(title ?? short)}
        checked={isSelected}
        onChange={onSelect}
      />
      <div className={classes.what}>
        <div className={classes.name}>
          <Anchor href={shortUrl} target="_blank" rel="noreferrer" className={classes.short}>
            <span className={classes.host} data-usual={host === main.host || undefined}>
              {host}
            </span>
            <span className={classes.code}>
              <span className={classes.slash}>/</span>
              {shortCode}
            </span>
          </Anchor>
          <CopyButton text={shortUrl} label={texts.links.copyLink(short)} />
          {status !== 'active' && <StatusBadge status={status} />}
          <Marks link={link} />
        </div>
        <PageLink to="/links/$id" params={{ id }} className={classes.about}>
          {title && <span className={classes.title}>{title}</span>}
          {(shows('originalUrl') || !title) && (
            <span className={classes.target} title={originalUrl}>
              <IconCornerDownRight size={15} aria-hidden="true" />
              {withoutScheme(originalUrl)}
            </span>
          )}
        </PageLink>
      </div>
      <div className={classes.labels}>
        {shows('labels') && link.campaign && <CampaignBadge name={link.campaign.name} />}
        {shows('labels') && link.tags?.map(tag => <TagBadge key={tag.id} {...tag} />)}
        <Columns link={link} hidden={look.hidden.flatMap(columnIn)} />
      </div>
      <div className={classes.numbers}>
        {shows('visits') && (
          <Anchor
            className={classes.visits}
            renderRoot={props => <PageLink {...props} to="/links/$id/analytics" params={{ id }} />}
            aria-label={texts.links.visits(visits.total, formatNumber(visits.total))}
            title={
              visits.undated ? texts.analytics.undatedOf(formatNumber(visits.undated)) : undefined
            }
          >
            <strong>{formatCompact(visits.total)}</strong>{' '}
            {visits.total === 1 ? texts.links.visit : texts.links.manyVisits}
          </Anchor>
        )}
        {shows('created') && (
          <time className={classes.when} dateTime={createdAt} title={formatMoment(createdAt)}>
            {formatAgo(createdAt)}
          </time>
        )}
      </div>
      <LinkMenu link={link} />
    </li>
  )
}

/** Whether a click is on the row itself: not on a control in it, and not the end of selecting text. */
function isForRow({ target, currentTarget }: MouseEvent): boolean {
  // A menu is rendered elsewhere in the document, but React bubbles its clicks through the row.
  const isWithin = target instanceof Element && currentTarget.contains(target)
  return isWithin && !target.closest('a, button, input, label') && !getSelection()?.toString()
}

/** Icons for what stands between a visitor and the original URL. */
function Marks({ link }: { readonly link: Link }) {
  return (
    <>
      {link.hasPassword && (
        <Tooltip label={texts.links.protected}>
          <IconLock
            size={16}
            className={classes.mark}
            aria-label={texts.links.protected}
            role="img"
          />
        </Tooltip>
      )}
      {link.dynamicRouting && (
        <Tooltip label={texts.links.routed}>
          <IconRoute
            size={16}
            className={classes.mark}
            aria-label={texts.links.routed}
            role="img"
          />
        </Tooltip>
      )}
    </>
  )
}
