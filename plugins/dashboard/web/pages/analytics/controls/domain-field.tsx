import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { main, useFeature } from '../../../api/instance/manifest.ts'
import { domainsQuery } from '../../../api/links/domains.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { useAnalyticsSearch } from './use-analytics-search.ts'

const all = ''

/** Choose the host whose links are counted, if the account has hosts of its own. */
export function DomainField() {
  const { search, change } = useAnalyticsSearch()
  const isThere = useFeature('organization.customDomains') !== 'absent'
  const { data } = useInfiniteQuery({ ...domainsQuery, enabled: isThere })
  const own = data?.items.map(({ host }) => host) ?? []
  const chosen = search.domain === undefined ? [] : [search.domain]
  if (own.length === 0 && chosen.length === 0) return null
  const hosts = [...new Set([main.host, ...own, ...chosen])]
  return (
    <Select
      aria-label={analyticsTexts.domain}
      data={[
        { value: all, label: analyticsTexts.allDomains },
        ...hosts.map(host => ({ value: host, label: host })),
      ]}
      value={search.domain ?? all}
      onChange={host => change({ domain: host || undefined })}
      allowDeselect={false}
    />
  )
}
