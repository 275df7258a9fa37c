import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignsKey, campaignsQuery, createCampaign } from '../../../../api/links/campaigns.ts'
import { ChooseOne } from '../../../../shared/choices/choose-one.tsx'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'

const typingMs = 250

/** Stands for a campaign to be created: neither the id of one nor a text that is searched for. */
const newCampaign = ' '

/** The campaign that a link is in. One that does not exist yet is created on selection. */
export function CampaignChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const queryClient = useQueryClient()
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
  const name = search.trim()
  const isNew = name !== '' && !all.some(it => it.name.toLowerCase() === name.toLowerCase())
  const { mutate: make, isPending: isMaking } = useMutation({
    mutationFn: (name: string) => createCampaign({ name }),
    onSuccess(campaign) {
      void queryClient.invalidateQueries({ queryKey: campaignsKey })
      setChosen(campaign)
      onChange(campaign.id)
    },
  })

  return (
    <ChooseOne
      {...inputProps(props)}
      description={undefined}
      placeholder={texts.common.none}
      nothingFoundMessage={linkFormTexts.noCampaigns}
      data={[
        ...all.map(({ id, name }) => ({ value: id, label: name })),
        ...(isNew ? [{ value: newCampaign, label: linkFormTexts.createCampaign(name) }] : []),
      ]}
      value={typeof value === 'string' ? value : null}
      onChange={id => {
        if (id === newCampaign) return make(name)
        setChosen(all.find(it => it.id === id))
        onChange(id)
      }}
      searchValue={search}
      onSearchChange={setSearch}
      isLooking={isPending || isPlaceholderData}
      // Disabled, it would lose the focus.
      readOnly={props.field.state === 'fixed' || isMaking}
      clearable
    />
  )
}
