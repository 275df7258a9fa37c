import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { texts } from '../../texts.ts'

const schemes = ['light', 'dark', 'auto'] as const

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  // Without transitions to hold back there is no `<style>` to write, which would be refused.
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
