import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { linksQuery } from '../../api/links.ts'
import { IconPlus } from '../../shared/icons.ts'
import { part } from '../../shared/late.ts'
import { Page } from '../../shared/page.tsx'
import { Rows } from '../../shared/rows.tsx'
import { TryAgain } from '../../shared/try-again.tsx'
import { texts } from '../../texts.ts'
import { LinkFilters } from './link-filters.tsx'
import { LinkList } from './link-list.tsx'
import { isNarrowed, linksSearch, questionOf } from './links-search.ts'
import { ListMenu } from './list-menu.tsx'

const route = getRouteApi('/inside/links')

// The form in it is more code than the list.
const NoLinks = part(async () => (await import('./no-links.tsx')).NoLinks)

/** Every link of the account: to find, to copy, to do something to many at once. */
export function LinksPage() {
  const search = route.useSearch()
  const { data, error, refetch, isPlaceholderData } = useQuery(linksQuery(questionOf(search)))
  const isEmpty = data?.total === 0 && !isNarrowed(search) && !isPlaceholderData

  // The last page may be gone, with the last link on it.
  if (data && !isPlaceholderData && (search.page ?? 1) > data.lastPage) {
    const last = linksSearch({ ...search, page: data.lastPage })
    return <Navigate to="/links" search={last} replace />
  }
  return (
    <Page
      title={texts.links.title}
      actions={
        !isEmpty && (
          <Group gap="xs" wrap="nowrap">
            <ListMenu search={search} />
            <NewLinkButton />
          </Group>
        )
      }
    >
      {!isEmpty && <LinkFilters search={search} />}
      {!data && (error ? <TryAgain error={error} onRetry={refetch} /> : <Rows />)}
      {data?.total === 0 && (
        <Suspense fallback={<Rows />}>
          <NoLinks isNarrowed={!isEmpty} />
        </Suspense>
      )}
      {data && data.total > 0 && <LinkList {...data} search={search} isStale={isPlaceholderData} />}
    </Page>
  )
}

function NewLinkButton() {
  return (
    <Button
      leftSection={<IconPlus size={18} />}
      renderRoot={props => <Link {...props} to="/links/new" />}
    >
      {texts.links.create}
    </Button>
  )
}
