import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Tag } from '../../api/tags.ts'
import { IconChartLine, IconDots, IconLink, IconPencil, IconTrash } from '../../shared/icons.ts'
import { texts } from '../../texts.ts'

export interface TagMenuProps {
  readonly tag: Tag
  readonly onEdit?: () => void
  onDelete(): void
}

/** What can be done with a tag. */
export function TagMenu({ tag: { id, name }, onEdit, onDelete }: TagMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={texts.tags.actionsOf(name)}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLink size={16} />}
          renderRoot={props => <Link {...props} to="/links" search={{ tag: id }} />}
        >
          {texts.tags.showLinks}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconChartLine size={16} />}
          renderRoot={props => <Link {...props} to="/tags/$id/analytics" params={{ id }} />}
        >
          {texts.tags.analytics}
        </Menu.Item>
        {onEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            {texts.common.edit}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onDelete}>
          {texts.common.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
