import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

/** Words, some of which are known: those are offered, and Enter takes what is highlighted, else what is typed. */
export function ChooseWords(props: TagsInputProps) {
  const [search, setSearch] = useState('')
  return (
    <TagsInput
      filter={fitting}
      {...props}
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search !== ''}
      // What is typed is its own to take.
      onKeyDown={event => search.trim() === '' && keepForm(event, search !== '')}
    />
  )
}
