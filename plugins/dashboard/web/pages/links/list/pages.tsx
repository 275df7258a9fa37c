import { ActionIcon, Group, Select, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { IconChevronLeft, IconChevronRight } from '../../../shared/icons/icons.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'
import {
  type LinksSearch,
  linksSearch,
  perPages,
  spanOf,
  usualPerPage,
} from '../search/links-search.ts'
import classes from './pages.module.css'

export interface PagesProps {
  readonly search: LinksSearch
  readonly shown: number
  readonly total: number
  readonly lastPage: number
  /** Only the range that is shown, without the navigation. */
  readonly isShort?: boolean
}

/** The range of links on this page, and the navigation between pages. */
export function Pages({ search, shown, total, lastPage, isShort = false }: PagesProps) {
  const page = search.page ?? 1
  const { from, to } = spanOf(search, shown)
  const range = texts.common.range(formatNumber(from), formatNumber(to), formatNumber(total))
  if (isShort) return <span className={classes.range}>{range}</span>
  return (
    <nav className={classes.pages} aria-label={texts.links.pages}>
      <span className={classes.range}>{range}</span>
      <PerPage search={search} />
      <Group gap="xs" wrap="nowrap">
        <Turn search={search} to={page - 1} isThere={page > 1} label={texts.common.previous}>
          <IconChevronLeft size={18} />
        </Turn>
        {lastPage > 1 && <Jump key={page} search={search} page={page} lastPage={lastPage} />}
        <Turn search={search} to={page + 1} isThere={page < lastPage} label={texts.common.next}>
          <IconChevronRight size={18} />
        </Turn>
      </Group>
    </nav>
  )
}

function PerPage({ search }: { readonly search: LinksSearch }) {
  const navigate = useNavigate()
  const turn = (per: string | null) =>
    navigate({
      to: '/links',
      search: linksSearch({ ...search, page: undefined, per: Number(per) }),
    })
  return (
    <Select
      size="xs"
      w="9rem"
      aria-label={texts.links.perPage}
      data={perPages.map(it => ({ value: String(it), label: texts.links.perPageOf(it) }))}
      value={String(search.per ?? usualPerPage)}
      onChange={per => void turn(per)}
      allowDeselect={false}
    />
  )
}

interface JumpProps {
  readonly search: LinksSearch
  readonly page: number
  readonly lastPage: number
}

/** The number of this page; typing another one goes there. */
function Jump({ search, page, lastPage }: JumpProps) {
  const [typed, setTyped] = useState(String(page))
  const navigate = useNavigate()
  const jump = (event: FormEvent) => {
    event.preventDefault()
    const to = Math.min(lastPage, Math.max(1, Number.parseInt(typed, 10) || page))
    setTyped(String(to))
    void navigate({ to: '/links', search: linksSearch({ ...search, page: to }) })
  }
  return (
    <form className={classes.jump} onSubmit={jump}>
      <TextInput
        size="xs"
        inputMode="numeric"
        aria-label={texts.links.page}
        classNames={{ input: classes.number }}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <span className={classes.range}>{texts.links.ofPages(formatNumber(lastPage))}</span>
    </form>
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
