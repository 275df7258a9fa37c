import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignsQuery } from '../../../../api/links/campaigns.ts'
import { ChooseOne } from '../../../../shared/choices/choose-one.tsx'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'

const typingMs = 250

/** The campaign that a link is in. */
export function CampaignChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, typingMs)
  const [chosen, setChosen] = useState(link?.campaign ?? undefined)
  const named = chosen?.id === value ? chosen : undefined
  const question = asked === named?.name ? '' : asked
  const {
    data = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...campaignsQuery(question),
    placeholderData: keepPreviousData,
  })
  const all = [...data, ...(named && !data.some(({ id }) => id === named.id) ? [named] : [])]

  return (
    <ChooseOne
      {...inputProps(props)}
      description={undefined}
      placeholder={texts.common.none}
      nothingFoundMessage={linkFormTexts.noCampaigns}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={typeof value === 'string' ? value : null}
      onChange={id => {
        setChosen(all.find(it => it.id === id))
        onChange(id)
      }}
      searchValue={search}
      onSearchChange={setSearch}
      isLooking={isPending || isPlaceholderData}
      clearable
    />
  )
}
