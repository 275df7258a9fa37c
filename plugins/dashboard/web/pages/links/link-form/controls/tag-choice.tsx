import { MultiSelect, Pill } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createTag, type Tag, tagsKey, tagsQuery } from '../../../../api/tags.ts'
import { Dot } from '../../../../shared/dot.tsx'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { TagBadge } from '../../../../shared/tag-badge.tsx'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../link-control-props.ts'
import classes from '../link-form.module.css'

type Named = Pick<Tag, 'id' | 'name' | 'color'>

const typingMs = 250

/** Stands for a tag that is not there yet. */
const newTag = 'new'

/** The tags of a link; one that is missing is made on the way. */
export function TagChoice(props: LinkControlProps) {
  const { link, value, onChange } = props
  const ids = Array.isArray(value) ? value.map(String) : []
  const [search, setSearch] = useState('')
  const { tags, remember } = useTags(search, link?.tags ?? [])
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
    <MultiSelect
      {...inputProps(props)}
      description={undefined}
      placeholder={ids.length === 0 ? texts.common.none : undefined}
      nothingFoundMessage={texts.linkForm.noTags}
      data={[
        ...tags.map(({ id, name }) => ({ value: id, label: name })),
        ...(isNew ? [{ value: newTag, label: texts.linkForm.createTag(name) }] : []),
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
      // What is offered was found by the API, or is the name itself.
      filter={({ options, search }) =>
        options.filter(it => 'label' in it && isIn(search, it.label))
      }
      value={ids}
      onChange={chosen => (chosen.includes(newTag) ? make(name) : onChange(chosen))}
      searchValue={search}
      onSearchChange={setSearch}
      disabled={props.field.state === 'barred' || isPending}
      searchable
      hidePickedOptions
    />
  )
}

/** Tags that fit a search, and those of the link, whose names have to be known. */
function useTags(search: string, ofLink: readonly Named[]) {
  const queryClient = useQueryClient()
  const [asked] = useDebouncedValue(search.trim(), typingMs)
  const { data = [] } = useQuery(tagsQuery(asked))
  const [known, setKnown] = useState<readonly Named[]>(ofLink)
  const all = new Map([...known, ...ofLink, ...data].map(tag => [tag.id, tag]))
  return {
    tags: [...all.values()],
    remember(tag: Named) {
      setKnown([...known, tag])
      void queryClient.invalidateQueries({ queryKey: tagsKey })
    },
  }
}

function isIn(search: string, label: string): boolean {
  return label.toLowerCase().includes(search.trim().toLowerCase())
}
