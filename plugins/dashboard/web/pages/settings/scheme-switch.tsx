import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { texts } from '../../texts.ts'

const schemes = ['light', 'dark', 'auto'] as const

/** Light, dark, or the system's choice. */
export function SchemeSwitch() {
  // Suspending transitions would write a `<style>`, which the policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <SegmentedControl
      fullWidth
      aria-label={texts.shell.scheme}
      value={colorScheme}
      onChange={setColorScheme}
      data={schemes.map(value => ({ value, label: texts.shell.schemes[value] }))}
    />
  )
}
