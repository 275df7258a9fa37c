import { type HotkeyItem, useLocalStorage } from '@mantine/hooks'

/** Whether single-key shortcuts are on: people who use speech input turn them off (WCAG 2.1.4). */
export function useShortcutsChoice() {
  return useLocalStorage({
    key: 'linnet-shortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
}

/** Single-key shortcuts for `useHotkeys`, unless they are turned off: `useHotkeys(useShortcuts([['/', focus]]))`. */
export function useShortcuts(keys: HotkeyItem[]): HotkeyItem[] {
  const [areOn] = useShortcutsChoice()
  return areOn ? keys : []
}
