import { ActionIcon, Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../api/profile.ts'
import { IconLogout, IconSelector } from '../shared/icons.ts'
import { useShortcutsChoice } from '../shared/use-shortcuts.ts'
import { texts } from '../texts.ts'
import classes from './account-menu.module.css'
import { LanguageChoice } from './language-choice.tsx'
import { SchemeChoice } from './scheme-choice.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Who is signed in, how things look, and the way out. */
export function AccountMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const [hasShortcuts, setHasShortcuts] = useShortcutsChoice()
  const leave = useSignOut()
  const avatar = (
    <Avatar
      size={isSmall ? 'sm' : 'md'}
      radius="xl"
      color="linnet"
      src={profile.avatarUrl}
      alt=""
      aria-hidden="true"
    >
      {profile.initials}
    </Avatar>
  )

  return (
    <Menu position={isSmall ? 'bottom-end' : 'top-start'} width="15rem" closeOnItemClick={false}>
      <Menu.Target>
        {isSmall ? (
          <ActionIcon variant="transparent" size="lg" aria-label={texts.shell.account}>
            {avatar}
          </ActionIcon>
        ) : (
          <UnstyledButton className={classes.account}>
            <VisuallyHidden>{texts.shell.account}</VisuallyHidden>
            {avatar}
            <span className={classes.who}>
              <span className={classes.name}>{profile.fullName ?? profile.email}</span>
              {profile.fullName && <span className={classes.email}>{profile.email}</span>}
            </span>
            <IconSelector size={16} aria-hidden="true" />
          </UnstyledButton>
        )}
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  )
}
