import { Menu } from '@mantine/core'
import { IconLogout } from '../../shared/icons/icons.ts'
import { useShortcutsChoice } from '../../shared/page/use-shortcuts.ts'
import { texts } from '../../texts.ts'
import { LanguageChoice } from './language-choice.tsx'
import { SchemeChoice } from './scheme-choice.tsx'
import { useSignOut } from './use-sign-out.ts'

/** The items of the account menu. */
export function AccountItems() {
  const [hasShortcuts, setHasShortcuts] = useShortcutsChoice()
  const leave = useSignOut()
  return (
    <>
      <Menu.Label>{texts.shell.scheme}</Menu.Label>
      <SchemeChoice />
      <Menu.Divider />
      <Menu.Label>{texts.shell.language}</Menu.Label>
      <LanguageChoice />
      <Menu.Divider />
      <Menu.CheckboxItem checked={hasShortcuts} onChange={setHasShortcuts}>
        {texts.shell.shortcuts}
      </Menu.CheckboxItem>
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
        {texts.shell.signOut}
      </Menu.Item>
    </>
  )
}
