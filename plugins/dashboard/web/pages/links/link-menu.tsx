import { ActionIcon, Menu } from '@mantine/core'
import { Link as PageLink } from '@tanstack/react-router'
import type { Link } from '../../api/links.ts'
import {
  IconArchive,
  IconArchiveOff,
  IconChartLine,
  IconDots,
  IconPencil,
  IconTrash,
} from '../../shared/icons.ts'
import { texts } from '../../texts.ts'
import { confirmDelete } from './confirm-delete.ts'
import { useBulk } from './use-bulk.ts'

/** What can be done to one link. */
export function LinkMenu({ link }: { readonly link: Link }) {
  const { archive, remove } = useBulk()
  const { id, archived, title, shortCode } = link
  const Archive = archived ? IconArchiveOff : IconArchive
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={texts.links.actionsOf(title ?? shortCode)}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
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
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => confirmDelete(1, () => remove([link]))}
        >
          {texts.common.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
