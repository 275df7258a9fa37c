import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsQuery } from '../../../api/admin/accounts.ts'

export interface AccountChoiceProps
  extends Pick<SelectProps, 'label' | 'description' | 'value' | 'onChange' | 'error'> {
  /** The id of an account that cannot be chosen. */
  readonly except: string
}

/** How long to wait for more typing before accounts are looked for, in milliseconds. */
const typingMs = 250

/** Choose an account, found by its name or e-mail address; the value is its id. */
export function AccountChoice({ except, ...props }: AccountChoiceProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingMs)
  const { data } = useInfiniteQuery({ ...accountsQuery(search), placeholderData: keepPreviousData })
  const others = data?.items.filter(({ id }) => id !== except) ?? []
  return (
    <Select
      searchable
      clearable
      data={others.map(({ id, email }) => ({ value: id, label: email }))}
      // The server has looked in names, too.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      {...props}
    />
  )
}
