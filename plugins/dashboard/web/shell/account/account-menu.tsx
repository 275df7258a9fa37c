import { ActionIcon, Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { late } from '../../shared/dialogs/late.ts'
import { LateItems } from '../../shared/dialogs/late-items.tsx'
import { IconSelector } from '../../shared/icons/icons.ts'
import { texts } from '../../texts.ts'
import classes from './account-menu.module.css'

const AccountItems = late(async () => (await import('./account-items.tsx')).AccountItems)

/** The menu with the signed-in account, the colour scheme, and signing out. */
export function AccountMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
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
          // The name has what is to be read on the button, for those who speak to it (WCAG 2.2, 2.5.3).
          <ActionIcon
            variant="transparent"
            size="lg"
            aria-label={`${profile.initials}, ${texts.shell.account}`}
          >
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
        <LateItems>
          <AccountItems />
        </LateItems>
      </Menu.Dropdown>
    </Menu>
  )
}
