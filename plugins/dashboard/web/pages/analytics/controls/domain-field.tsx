import { Select } from '@mantine/core'
import { main } from '../../../api/instance/manifest.ts'
import { useHosts } from '../../../api/links/hosts.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { useAnalyticsSearch } from './use-analytics-search.ts'

const all = ''

/** Choose the host whose links are counted, if links can be on several. */
export function DomainField() {
  const { search, change } = useAnalyticsSearch()
  const own = useHosts().all
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
