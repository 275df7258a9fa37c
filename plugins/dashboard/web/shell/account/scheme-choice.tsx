import { Menu, useMantineColorScheme } from '@mantine/core'
import { texts } from '../../texts.ts'

const schemes = ['light', 'dark', 'auto'] as const

/** The part of a menu that chooses light, dark or the system's scheme. The choice is kept in this browser. */
export function SchemeChoice() {
  // Suspending transitions would write a `<style>`, which the policy refuses.
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
