import { Menu, useMantineColorScheme } from '@mantine/core'
import { texts } from '../../texts.ts'

const schemes = ['light', 'dark', 'auto'] as const

/** Light, dark, or as the system has it: a part of a menu. The choice stays in this browser. */
export function SchemeChoice() {
  // Without transitions to hold back there is no `<style>` to write, which would be refused.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const choose = (value: string) => setColorScheme(schemes.find(it => it === value) ?? 'auto')
  return (
    <Menu.RadioGroup value={colorScheme} onChange={choose}>
      {schemes.map(scheme => (
        <Menu.RadioItem key={scheme} value={scheme}>
          {texts.shell.schemes[scheme]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
