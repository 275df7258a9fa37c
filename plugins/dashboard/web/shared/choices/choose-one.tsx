import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { fitting } from './fitting.ts'
import { keepForm } from './keep-form.ts'

export interface ChooseOneProps extends Omit<SelectProps, 'data'> {
  readonly data: readonly (string | { readonly value: string; readonly label: string })[]
  /** Matches are still loading: nothing is highlighted until they are there. */
  readonly isLooking?: boolean
}

/** Choose one from a searchable list. While one types, the first match is highlighted, and Enter takes it. */
export function ChooseOne({ isLooking = false, onSearchChange, ...props }: ChooseOneProps) {
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
      onKeyDown={event => keepForm(event, isTyped)}
    />
  )
}
