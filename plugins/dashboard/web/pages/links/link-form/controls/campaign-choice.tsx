import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignsQuery } from '../../../../api/campaigns.ts'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../link-control-props.ts'

const typingMs = 250

/** The campaign that a link is in. */
export function CampaignChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, typingMs)
  const [chosen, setChosen] = useState(link?.campaign ?? undefined)
  const named = chosen?.id === value ? chosen : undefined
  const question = asked === named?.name ? '' : asked
  const { data = [] } = useQuery(campaignsQuery(question))
  const all = [...data, ...(named && !data.some(({ id }) => id === named.id) ? [named] : [])]

  return (
    <Select
      {...inputProps(props)}
      description={undefined}
      placeholder={texts.common.none}
      nothingFoundMessage={texts.linkForm.noCampaigns}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={typeof value === 'string' ? value : null}
      onChange={id => {
        setChosen(all.find(it => it.id === id))
        onChange(id)
      }}
      searchValue={search}
      onSearchChange={setSearch}
      searchable
      clearable
    />
  )
}
