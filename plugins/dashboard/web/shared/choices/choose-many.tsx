import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

export interface ChooseManyProps extends MultiSelectProps {
  /** Matches are still loading: nothing is highlighted until they are there. */
  readonly isLooking?: boolean
}

/** Choose several from a list. While one types, the first match is highlighted, and Enter takes it. */
export function ChooseMany({ isLooking = false, onSearchChange, ...props }: ChooseManyProps) {
  const [search, setSearch] = useState('')
  const isTyped = (props.searchValue ?? search) !== ''
  return (
    <MultiSelect
      filter={fitting}
      {...props}
      onSearchChange={text => {
        setSearch(text)
        onSearchChange?.(text)
      }}
      selectFirstOptionOnChange={isTyped && !isLooking}
      onKeyDown={event => keepForm(event, isTyped)}
    />
  )
}
