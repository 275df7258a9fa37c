import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Campaign,
  campaignsKey,
  campaignsQuery,
  createCampaign,
  listedCampaigns,
} from '../../../../api/links/campaigns.ts'
import { ChooseOne } from '../../../../shared/choices/choose-one.tsx'
import { useHeldForm } from '../../../../shared/choices/early-enter.ts'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'

type Named = Pick<Campaign, 'id' | 'name'>

const typingMs = 250

/** Stands for a campaign to be created: neither the id of one nor a text that is searched for. */
const newCampaign = ' '

/**
 * The campaign that a link is in. One that does not exist yet is created on selection. What is entered while campaigns are still
 * looked for becomes the one of this name, or a new one; the form waits for it.
 */
export function CampaignChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const queryClient = useQueryClient()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, typingMs)
  const [chosen, setChosen] = useState<Named | undefined>(link?.campaign ?? undefined)
  const named = chosen?.id === value ? chosen : undefined
  const { data: first } = useQuery(campaignsQuery())
  // Where the first ones are all, there is nothing to look for.
  const areAll = first !== undefined && first.length < listedCampaigns
  const question = areAll || asked === named?.name ? '' : asked
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
  const isNamed = (name: string) => (it: Named) => it.name.toLowerCase() === name.toLowerCase()
  const isNew = name !== '' && !all.some(isNamed(name))
  const { mutate: take, isPending: isTaking } = useMutation({
    async mutationFn(name: string): Promise<Named> {
      const found =
        all.find(isNamed(name)) ??
        (await queryClient.fetchQuery(campaignsQuery(name))).find(isNamed(name))
      return found ?? createCampaign({ name })
    },
    onError: () => form.forget(),
    onSuccess(campaign) {
      void queryClient.invalidateQueries({ queryKey: campaignsKey })
      setChosen(campaign)
      onChange(campaign.id)
    },
  })
  const form = useHeldForm(isTaking)

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
        if (id === newCampaign) return take(name)
        setChosen(all.find(it => it.id === id))
        onChange(id)
      }}
      searchValue={search}
      onSearchChange={setSearch}
      isLooking={isPending || isPlaceholderData || (!areAll && asked !== search)}
      onEntered={take}
      ref={form.input}
      // Disabled, it would lose the focus.
      readOnly={props.field.state === 'fixed' || isTaking}
      clearable
    />
  )
}
