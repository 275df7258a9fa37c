import { ActionIcon, Menu } from '@mantine/core'
import { late } from '../../../shared/dialogs/late.ts'
import { LateItems } from '../../../shared/dialogs/late-items.tsx'
import { IconDots } from '../../../shared/icons/icons.ts'
import { texts } from '../../../texts.ts'
import type { LinksSearch } from '../search/links-search.ts'

const ListItems = late(async () => (await import('./list-items.tsx')).ListItems)

/** The menu of the list as a whole. */
export function ListMenu({ search }: { readonly search: LinksSearch }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={texts.links.more}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LateItems>
          <ListItems search={search} />
        </LateItems>
      </Menu.Dropdown>
    </Menu>
  )
}
