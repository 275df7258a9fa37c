import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { linksQuery } from '../../api/links/links.ts'
import { part } from '../../shared/dialogs/late.ts'
import { IconPlus } from '../../shared/icons/icons.ts'
import { Rows } from '../../shared/lists/rows.tsx'
import { LocalUrls } from '../../shared/notices/local-urls.tsx'
import { TryAgain } from '../../shared/notices/try-again.tsx'
import { Page } from '../../shared/page/page.tsx'
import { texts } from '../../texts.ts'
import { LinkList } from './list/link-list.tsx'
import { ListMenu } from './list/list-menu.tsx'
import { LinkFilters } from './search/link-filters.tsx'
import { isNarrowed, linksSearch, questionOf } from './search/links-search.ts'

const route = getRouteApi('/inside/links')

// It contains a form with more code than the list has.
const NoLinks = part(async () => (await import('./list/no-links.tsx')).NoLinks)

/** All links of the account: find them, copy them, and change many at once. */
export function LinksPage() {
  const search = route.useSearch()
  const { data, error, refetch, isPlaceholderData } = useQuery(linksQuery(questionOf(search)))
  const isEmpty = data?.total === 0 && !isNarrowed(search) && !isPlaceholderData

  // The last page disappears with its last link.
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
      <LocalUrls />
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
