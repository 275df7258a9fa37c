import { Checkbox, VisuallyHidden } from '@mantine/core'
import { Suspense } from 'react'
import type { Link } from '../../../api/links/links.ts'
import { part } from '../../../shared/dialogs/late.ts'
import { texts } from '../../../texts.ts'
import { type LinksSearch, questionOf, usualPerPage } from '../search/links-search.ts'
import { LinkCard } from './link-card.tsx'
import classes from './link-list.module.css'
import { Pages } from './pages.tsx'
import { useListLook } from './use-list-look.ts'
import { useSelection } from './use-selection.ts'

// Nobody selects anything before the list is there.
const BulkBar = part(async () => (await import('../bulk/bulk-bar.tsx')).BulkBar)

export interface LinkListProps {
  readonly links: readonly Link[]
  readonly total: number
  readonly lastPage: number
  readonly search: LinksSearch
  /** The links are of the previous page, shown until those of this one have loaded. */
  readonly isStale: boolean
}

/** A page of links, and the actions for the selected ones. */
export function LinkList({ links, total, lastPage, search, isStale }: LinkListProps) {
  const question = questionOf(search)
  const { page: _, per_page: __, sort: ___, ...list } = question
  const selection = useSelection(links, JSON.stringify(list))
  const { selected, isEvery, toggle, toggleAll, selectEvery, clear } = selection
  const [look] = useListLook()
  const isAll = selected.length === links.length
  return (
    <>
      <div className={classes.head} data-selecting={selected.length > 0 || undefined}>
        <Checkbox
          aria-label={texts.links.selectAll}
          checked={isAll}
          indeterminate={selected.length > 0 && !isAll}
          onChange={toggleAll}
        />
        {selected.length > 0 ? (
          <Suspense>
            <BulkBar
              chosen={isEvery ? { question, total } : { links: selected }}
              onEvery={isAll && !isEvery && total > links.length ? selectEvery : undefined}
              total={total}
              onDone={clear}
            />
          </Suspense>
        ) : (
          <Pages search={search} shown={links.length} total={total} lastPage={lastPage} isShort />
        )}
      </div>
      <VisuallyHidden component="h2">{texts.links.list}</VisuallyHidden>
      <ul className={classes.list} aria-busy={isStale} data-stale={isStale || undefined}>
        {links.map(link => (
          <LinkCard
            key={link.id}
            link={link}
            isSelected={selected.includes(link)}
            look={look}
            onSelect={() => toggle(link.id)}
          />
        ))}
      </ul>
      {total > usualPerPage && (
        <Pages search={search} shown={links.length} total={total} lastPage={lastPage} />
      )}
    </>
  )
}
