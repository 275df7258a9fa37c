import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

/** Words, with known ones as suggestions. Enter takes the highlighted suggestion, or else what is typed. */
export function ChooseWords(props: TagsInputProps) {
  const [search, setSearch] = useState('')
  return (
    <TagsInput
      filter={fitting}
      {...props}
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search !== ''}
      // The input itself takes what is typed.
      onKeyDown={event => search.trim() === '' && keepForm(event, search !== '')}
    />
  )
}
