import { type HotkeyItem, useLocalStorage } from '@mantine/hooks'

/** Whether single keys do anything: who speaks to the computer turns them off (WCAG 2.1.4). */
export function useShortcutsChoice() {
  return useLocalStorage({
    key: 'linnet-shortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
}

/** Single keys for `useHotkeys`, unless they are turned off: `useHotkeys(useShortcuts([['/', focus]]))`. */
export function useShortcuts(keys: HotkeyItem[]): HotkeyItem[] {
  const [areOn] = useShortcutsChoice()
  return areOn ? keys : []
}
