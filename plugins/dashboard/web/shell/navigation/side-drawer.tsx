import { Drawer } from '@mantine/core'
import { texts } from '../../texts.ts'
import { Brand } from '../brand/brand.tsx'
import { NavLinks } from './nav-links.tsx'

export interface SideDrawerProps {
  readonly isOpen: boolean
  onClose(): void
}

/** The navigation on screens that have no room for it beside the page. */
export function SideDrawer({ isOpen, onClose }: SideDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="left"
      size="16rem"
      title={<Brand />}
      closeButtonProps={{ 'aria-label': texts.shell.closeNavigation }}
    >
      <nav aria-label={texts.shell.navigation}>
        <NavLinks onGo={onClose} />
      </nav>
    </Drawer>
  )
}
