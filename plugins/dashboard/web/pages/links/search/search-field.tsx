import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { IconSearch } from '../../../shared/icons/icons.ts'
import { useShortcuts, useShortcutsChoice } from '../../../shared/page/use-shortcuts.ts'
import { texts } from '../../../texts.ts'
import classes from './link-filters.module.css'

/** How long to wait for more typing before the list is read, in milliseconds. */
const typingMs = 250

interface SearchFieldProps {
  readonly value: string
  onChange(value: string): void
}

/** The search text; the key `/` moves the focus here. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [asked, setAsked] = useState(value)
  const ask = useDebouncedCallback((text: string) => {
    setAsked(text.trim())
    onChange(text.trim())
  }, typingMs)
  const [areOn] = useShortcutsChoice()
  useHotkeys(useShortcuts([['/', () => input.current?.focus()]]))
  // Changed from outside, such as by going back or clearing the filters.
  if (value !== asked) {
    setAsked(value)
    setTyped(value)
  }

  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.search}
      aria-label={texts.links.search}
      placeholder={texts.links.search}
      leftSection={<IconSearch size={17} />}
      rightSection={
        areOn &&
        typed === '' && (
          <Kbd className={classes.key} aria-hidden="true">
            /
          </Kbd>
        )
      }
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        ask(currentTarget.value)
      }}
    />
  )
}
