import { Pill } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createTag, listedTags, type Tag, tagsKey, tagsQuery } from '../../../../api/links/tags.ts'
import { ChooseMany } from '../../../../shared/choices/choose-many.tsx'
import { useHeldForm } from '../../../../shared/choices/early-enter.ts'
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

/** Stands for a tag that was entered by its name and is looked up. */
const looked = (name: string) => `${newTag}${name}`

const isId = (value: string) => !value.startsWith(newTag)

/**
 * The tags of a link. A tag that does not exist yet is created on selection. What is entered while tags are still looked for
 * becomes the tag of this name, or a new one; the form waits for it.
 */
export function TagChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const ids = Array.isArray(value) ? value.map(String) : []
  const [search, setSearch] = useState('')
  const [entered, setEntered] = useState<readonly string[]>([])
  const chosen = useRef(ids)
  chosen.current = ids
  const { tags, isLooking, named, remember } = useTags(search, link?.tags ?? [])
  const form = useHeldForm(entered.length > 0)
  const name = search.trim()
  const isNew = name !== '' && !tags.some(it => it.name.toLowerCase() === name.toLowerCase())
  const { mutate: take } = useMutation({
    mutationFn: async (name: string) => (await named(name)) ?? createTag({ name }),
    onSuccess(tag) {
      remember(tag)
      chosen.current = [...new Set([...chosen.current, tag.id])]
      onChange(chosen.current)
    },
    onError(_, name) {
      form.forget()
      setSearch(typed => (typed === '' ? name : typed))
    },
    onSettled: (_tag, _error, name) => setEntered(all => all.filter(it => it !== name)),
  })

  function enter(name: string) {
    setSearch('')
    if (entered.some(it => it.toLowerCase() === name.toLowerCase())) return
    setEntered([...entered, name])
    take(name)
  }

  return (
    <ChooseMany
      {...inputProps(props)}
      description={undefined}
      placeholder={ids.length === 0 ? texts.common.none : undefined}
      nothingFoundMessage={linkFormTexts.noTags}
      data={[
        ...tags.map(({ id, name }) => ({ value: id, label: name })),
        ...entered.map(name => ({ value: looked(name), label: name })),
        ...(isNew ? [{ value: newTag, label: linkFormTexts.createTag(name) }] : []),
      ]}
      renderOption={({ option }) => {
        const tag = tags.find(({ id }) => id === option.value)
        return tag ? <TagBadge {...tag} /> : option.label
      }}
      renderPill={({ option, onRemove, disabled }) => (
        <Pill
          withRemoveButton={!disabled && isId(String(option.value))}
          {...(onRemove && { onRemove })}
          removeButtonProps={{ tabIndex: -1, 'aria-hidden': true }}
        >
          <span className={classes.pill}>
            <Dot color={tags.find(({ id }) => id === option.value)?.color ?? ''} />
            {option.label}
          </span>
        </Pill>
      )}
      value={[...ids, ...entered.map(looked)]}
      onChange={chosen => (chosen.includes(newTag) ? enter(name) : onChange(chosen.filter(isId)))}
      onEntered={enter}
      ref={form.input}
      searchValue={search}
      onSearchChange={setSearch}
      isLooking={isLooking}
      searchable
      hidePickedOptions
    />
  )
}

/** Tags that match a search, and those of the link, whose names are needed. */
function useTags(search: string, ofLink: readonly Named[]) {
  const queryClient = useQueryClient()
  const text = search.trim()
  const [debounced] = useDebouncedValue(text, typingMs)
  const { data: first } = useQuery(tagsQuery())
  // Where the first ones are all, there is nothing to look for.
  const areAll = first !== undefined && first.length < listedTags
  const asked = areAll ? '' : debounced
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
    isLooking: isPending || isPlaceholderData || (!areAll && asked !== text),
    /** The tag of a name, if there is one. */
    async named(name: string): Promise<Named | undefined> {
      const isIt = (it: Named) => it.name.toLowerCase() === name.toLowerCase()
      const known = [...all.values()].find(isIt)
      return known ?? (await queryClient.fetchQuery(tagsQuery(name))).find(isIt)
    },
    remember(tag: Named) {
      setKnown(before => [...before, tag])
      void queryClient.invalidateQueries({ queryKey: tagsKey })
    },
  }
}
