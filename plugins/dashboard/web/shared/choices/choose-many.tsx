import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

export interface ChooseManyProps extends MultiSelectProps {
  /** What fits is still being looked for: nothing is highlighted until it is there. */
  readonly isLooking?: boolean
}

/** Some of a list: while one types the first that fits is highlighted, and Enter takes what is. */
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
