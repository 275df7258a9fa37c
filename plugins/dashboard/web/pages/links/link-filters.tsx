import { Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { campaignsQuery } from '../../api/campaigns.ts'
import { domainsQuery } from '../../api/domains.ts'
import { useFeature } from '../../api/manifest.ts'
import { tagsQuery } from '../../api/tags.ts'
import { texts } from '../../texts.ts'
import classes from './link-filters.module.css'
import { type LinksSearch, linksSearch, usualSort } from './links-search.ts'
import { SearchField } from './search-field.tsx'

/** Which links are shown, in which order; the address of the page remembers it. */
export function LinkFilters({ search }: { readonly search: LinksSearch }) {
  const narrow = useNarrow(search)
  return (
    <search className={classes.filters}>
      <SearchField value={search.q ?? ''} onChange={q => narrow({ q })} />
      <Select
        aria-label={texts.links.status}
        placeholder={texts.links.anyStatus}
        data={optionsOf(texts.links.statuses)}
        value={search.status ?? null}
        onChange={status => narrow({ status })}
        clearable
      />
      <TagFilter value={search.tag} onChange={tag => narrow({ tag })} />
      <CampaignFilter value={search.campaign} onChange={campaign => narrow({ campaign })} />
      <DomainFilter value={search.domain} onChange={domain => narrow({ domain })} />
      <Select
        aria-label={texts.links.sort}
        data={optionsOf(texts.links.sorts)}
        value={search.sort ?? usualSort}
        onChange={sort => narrow({ sort })}
        allowDeselect={false}
      />
    </search>
  )
}

/** Another filter begins at the first page. */
function useNarrow(search: LinksSearch) {
  const navigate = useNavigate()
  return (change: Readonly<Record<string, unknown>>) =>
    void navigate({
      to: '/links',
      search: linksSearch({ ...search, page: undefined, ...change }),
      replace: true,
    })
}

interface FilterProps {
  readonly value: string | undefined
  onChange(value: string | null): void
}

function TagFilter({ value, onChange }: FilterProps) {
  const isThere = useFeature('organization.tags') !== 'absent'
  const { data } = useQuery({ ...tagsQuery(), enabled: isThere })
  if (!data?.length) return null
  return (
    <Select
      aria-label={texts.links.tag}
      placeholder={texts.links.anyTag}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
    />
  )
}

function CampaignFilter({ value, onChange }: FilterProps) {
  const isThere = useFeature('organization.campaigns') !== 'absent'
  const { data } = useQuery({ ...campaignsQuery(), enabled: isThere })
  if (!data?.length) return null
  return (
    <Select
      aria-label={texts.links.campaign}
      placeholder={texts.links.anyCampaign}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
    />
  )
}

/** By the host of the short URL: that of this instance, or one of the account's own. */
function DomainFilter({ value, onChange }: FilterProps) {
  const isThere = useFeature('organization.customDomains') !== 'absent'
  const { data } = useInfiniteQuery({ ...domainsQuery, enabled: isThere })
  if (!data?.items.length) return null
  return (
    <Select
      aria-label={texts.links.domain}
      placeholder={texts.links.anyDomain}
      data={[location.host, ...data.items.map(({ host }) => host)]}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
    />
  )
}

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}
