import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { main, useFeature } from '../../../api/instance/manifest.ts'
import { useFilters } from '../../../api/links/additions.ts'
import { campaignsQuery } from '../../../api/links/campaigns.ts'
import { useHosts } from '../../../api/links/hosts.ts'
import { useStatuses } from '../../../api/links/statuses.ts'
import { tagsQuery } from '../../../api/links/tags.ts'
import { texts } from '../../../texts.ts'
import { FilterSelect } from './filter-select.tsx'
import classes from './link-filters.module.css'
import {
  choicesIn,
  chosenIn,
  type LinksSearch,
  linksSearch,
  searchBy,
  usualSort,
} from './links-search.ts'
import { SavedSearches } from './saved-searches.tsx'
import { SearchField } from './search-field.tsx'

/** Filters and order of the list, kept in the address of the page. */
export function LinkFilters({ search }: { readonly search: LinksSearch }) {
  const narrow = useNarrow(search)
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <search className={classes.filters} data-open={isOpen || undefined}>
      <SearchField value={search.q ?? ''} onChange={q => narrow({ q })} />
      <Button variant="default" className={classes.toggle} aria-expanded={isOpen} onClick={toggle}>
        {texts.links.filters(choicesIn(search))}
      </Button>
      <SavedSearches search={search} className={classes.saved} />
      <Select
        aria-label={texts.links.status}
        placeholder={texts.links.anyStatus}
        data={optionsOf(useStatuses())}
        value={search.status ?? null}
        onChange={status => narrow({ status })}
        clearable
      />
      <TagFilter value={search.tag} onChange={tag => narrow({ tag })} />
      <CampaignFilter value={search.campaign} onChange={campaign => narrow({ campaign })} />
      <DomainFilter value={search.domain} onChange={domain => narrow({ domain })} />
      {useFilters().map(({ name, label, words }) => (
        <FilterSelect
          key={name}
          label={label}
          any={texts.links.anyOf(label)}
          options={words}
          value={chosenIn(search)[name]}
          onChange={value => narrow(searchBy({ ...chosenIn(search), [name]: value }))}
        />
      ))}
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

/** Changing a filter returns to the first page. */
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

function TagFilter(props: FilterProps) {
  const isThere = useFeature('organization.tags') !== 'absent'
  const { data = [] } = useQuery({ ...tagsQuery(), enabled: isThere })
  const { tag: label, anyTag: any } = texts.links
  return <FilterSelect {...{ label, any, ...props }} options={data.map(byName)} />
}

function CampaignFilter(props: FilterProps) {
  const isThere = useFeature('organization.campaigns') !== 'absent'
  const { data = [] } = useQuery({ ...campaignsQuery(), enabled: isThere })
  const { campaign: label, anyCampaign: any } = texts.links
  return <FilterSelect {...{ label, any, ...props }} options={data.map(byName)} />
}

/** Filters by the host of the short URL: the main host, one of the account's own, or a shared one. */
function DomainFilter(props: FilterProps) {
  const own = useHosts().all
  const { domain: label, anyDomain: any } = texts.links
  const options = own.length > 0 ? [main.host, ...own] : []
  return <FilterSelect {...{ label, any, ...props }} options={options} />
}

function byName({ id, name }: { readonly id: string; readonly name: string }) {
  return { value: id, label: name }
}

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}
