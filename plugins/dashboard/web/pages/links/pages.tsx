import { ActionIcon, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../../shared/format.ts'
import { IconChevronLeft, IconChevronRight } from '../../shared/icons.ts'
import { texts } from '../../texts.ts'
import { type LinksSearch, linksSearch, spanOf } from './links-search.ts'
import classes from './pages.module.css'

export interface PagesProps {
  readonly search: LinksSearch
  readonly shown: number
  readonly total: number
  readonly lastPage: number
  /** Only what is shown, without the way to the others. */
  readonly isShort?: boolean
}

/** What part of the list this is, and the way to the parts before and after. */
export function Pages({ search, shown, total, lastPage, isShort = false }: PagesProps) {
  const page = search.page ?? 1
  const { from, to } = spanOf(page, shown)
  const range = texts.common.range(formatNumber(from), formatNumber(to), formatNumber(total))
  if (isShort) return <span className={classes.range}>{range}</span>
  return (
    <nav className={classes.pages} aria-label={texts.links.pages}>
      <span className={classes.range}>{range}</span>
      <Group gap="xs">
        <Turn search={search} to={page - 1} isThere={page > 1} label={texts.common.previous}>
          <IconChevronLeft size={18} />
        </Turn>
        <Turn search={search} to={page + 1} isThere={page < lastPage} label={texts.common.next}>
          <IconChevronRight size={18} />
        </Turn>
      </Group>
    </nav>
  )
}

interface TurnProps {
  readonly search: LinksSearch
  readonly to: number
  readonly isThere: boolean
  readonly label: string
  readonly children: ReactNode
}

function Turn({ search, to, isThere, label, children }: TurnProps) {
  if (!isThere) {
    return (
      <ActionIcon variant="default" size="lg" aria-label={label} disabled>
        {children}
      </ActionIcon>
    )
  }
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      renderRoot={props => (
        <Link {...props} to="/links" search={linksSearch({ ...search, page: to })} />
      )}
    >
      {children}
    </ActionIcon>
  )
}
