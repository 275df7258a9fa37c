import { Pill } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createTag, type Tag, tagsKey, tagsQuery } from '../../../../api/links/tags.ts'
import { ChooseMany } from '../../../../shared/choices/choose-many.tsx'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { Dot } from '../../../../shared/icons/dot.tsx'
import { TagBadge } from '../../../../shared/icons/tag-badge.tsx'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'
import classes from './tag-choice.module.css'

type Named = Pick<Tag, 'id' | 'name' | 'color'>

const typingMs = 250

/** Stands for a tag to be created: neither the id of a tag nor a text that is searched for. */
const newTag = ' '

/** The tags of a link. A tag that does not exist yet is created on selection. */
export function TagChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const ids = Array.isArray(value) ? value.map(String) : []
  const [search, setSearch] = useState('')
  const { tags, isLooking, remember } = useTags(search, link?.tags ?? [])
  const name = search.trim()
  const isNew = name !== '' && !tags.some(it => it.name.toLowerCase() === name.toLowerCase())
  const { mutate: make, isPending } = useMutation({
    mutationFn: (name: string) => createTag({ name }),
    onSuccess(tag) {
      remember(tag)
      setSearch('')
      onChange([...ids, tag.id])
    },
  })

  return (
    <ChooseMany
      {...inputProps(props)}
      description={undefined}
      placeholder={ids.length === 0 ? texts.common.none : undefined}
      nothingFoundMessage={linkFormTexts.noTags}
      data={[
        ...tags.map(({ id, name }) => ({ value: id, label: name })),
        ...(isNew ? [{ value: newTag, label: linkFormTexts.createTag(name) }] : []),
      ]}
      renderOption={({ option }) => {
        const tag = tags.find(({ id }) => id === option.value)
        return tag ? <TagBadge {...tag} /> : option.label
      }}
      renderPill={({ option, onRemove, disabled }) => (
        <Pill
          withRemoveButton={!disabled}
          {...(onRemove && { onRemove })}
          removeButtonProps={{ tabIndex: -1, 'aria-hidden': true }}
        >
          <span className={classes.pill}>
            <Dot color={tags.find(({ id }) => id === option.value)?.color ?? ''} />
            {option.label}
          </span>
        </Pill>
      )}
      value={ids}
      onChange={chosen => (chosen.includes(newTag) ? make(name) : onChange(chosen))}
      searchValue={search}
      onSearchChange={setSearch}
      isLooking={isLooking}
      // Disabled, it would lose the focus.
      readOnly={props.field.state === 'fixed' || isPending}
      searchable
      hidePickedOptions
    />
  )
}

/** Tags that match a search, and those of the link, whose names are needed. */
function useTags(search: string, ofLink: readonly Named[]) {
  const queryClient = useQueryClient()
  const [asked] = useDebouncedValue(search.trim(), typingMs)
  const {
    data = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...tagsQuery(asked),
    // The highlighted option stays while others load.
    placeholderData: keepPreviousData,
  })
  const [known, setKnown] = useState<readonly Named[]>(ofLink)
  const all = new Map([...known, ...ofLink, ...data].map(tag => [tag.id, tag]))
  return {
    tags: [...all.values()],
    isLooking: isPending || isPlaceholderData,
    remember(tag: Named) {
      setKnown([...known, tag])
      void queryClient.invalidateQueries({ queryKey: tagsKey })
    },
  }
}
