import { Select, type SelectProps } from '@mantine/core'
import { type Ref, useState } from 'react'
import { isEarlyEnter } from './early-enter.ts'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

export interface ChooseOneProps extends Omit<SelectProps, 'data'> {
  readonly data: readonly (string | { readonly value: string; readonly label: string })[]
  /** Matches are still loading: nothing is highlighted until they are there. */
  readonly isLooking?: boolean
  /** Enter while nothing is highlighted: what is typed shall be chosen once it is found. */
  readonly onEntered?: (text: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** Choose one from a searchable list. While one types, the first match is highlighted, and Enter takes it. */
export function ChooseOne(given: ChooseOneProps) {
  const { isLooking = false, onSearchChange, onEntered, ...props } = given
  const [search, setSearch] = useState('')
  const chosen = props.data.map(it => (typeof it === 'string' ? { value: it, label: it } : it))
  const label = chosen.find(({ value }) => value === props.value)?.label ?? ''
  const isTyped = search !== '' && search !== label
  return (
    <Select
      filter={fitting}
      searchable
      {...props}
      onSearchChange={text => {
        setSearch(text)
        onSearchChange?.(text)
      }}
      selectFirstOptionOnChange={isTyped && !isLooking}
      onKeyDown={event => {
        keepForm(event, isTyped)
        if (isTyped && isEarlyEnter(event)) onEntered?.(search.trim())
      }}
    />
  )
}
