import { Menu } from '@mantine/core'
import { Link as PageLink } from '@tanstack/react-router'
import type { Link } from '../../api/links.ts'
import { IconArchive, IconArchiveOff, IconChartLine, IconPencil } from '../../shared/icons.ts'
import { DeleteItem, RowMenu } from '../../shared/row-menu.tsx'
import { texts } from '../../texts.ts'
import { confirmDelete } from './confirm-delete.ts'
import { useBulk } from './use-bulk.ts'

/** What can be done to one link. */
export function LinkMenu({ link }: { readonly link: Link }) {
  const { archive, remove } = useBulk()
  const { id, archived, title, shortCode } = link
  const Archive = archived ? IconArchiveOff : IconArchive
  return (
    <RowMenu label={texts.links.actionsOf(title ?? shortCode)}>
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        renderRoot={props => <PageLink {...props} to="/links/$id" params={{ id }} />}
      >
        {texts.links.edit}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconChartLine size={16} />}
        renderRoot={props => <PageLink {...props} to="/links/$id/analytics" params={{ id }} />}
      >
        {texts.links.analytics}
      </Menu.Item>
      <Menu.Item leftSection={<Archive size={16} />} onClick={() => archive([link], !archived)}>
        {archived ? texts.links.unarchive : texts.links.archive}
      </Menu.Item>
      <DeleteItem onClick={() => confirmDelete(1, () => remove([link]))} />
    </RowMenu>
  )
}
