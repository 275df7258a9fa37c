import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { type Ref, useState } from 'react'
import { isEarlyEnter } from './early-enter.ts'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

export interface ChooseManyProps extends MultiSelectProps {
  /** Matches are still loading: nothing is highlighted until they are there. */
  readonly isLooking?: boolean
  /** Enter while nothing is highlighted: what is typed shall be chosen once it is found. */
  readonly onEntered?: (text: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** Choose several from a list. While one types, the first match is highlighted, and Enter takes it. */
export function ChooseMany(given: ChooseManyProps) {
  const { isLooking = false, onSearchChange, onEntered, ...props } = given
  const [search, setSearch] = useState('')
  const typed = props.searchValue ?? search
  const isTyped = typed !== ''
  return (
    <MultiSelect
      filter={fitting}
      {...props}
      onSearchChange={text => {
        setSearch(text)
        onSearchChange?.(text)
      }}
      selectFirstOptionOnChange={isTyped && !isLooking}
      onKeyDown={event => {
        keepForm(event, isTyped)
        if (typed.trim() !== '' && isEarlyEnter(event)) onEntered?.(typed.trim())
      }}
    />
  )
}
