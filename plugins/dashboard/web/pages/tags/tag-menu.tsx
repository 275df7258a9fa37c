import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { profileKey } from '../../api/account/profile.ts'
import { linksKey } from '../../api/links/links.ts'
import { deleteTag, type Tag, tagsKey } from '../../api/links/tags.ts'
import { IconChartLine, IconLink } from '../../shared/icons/icons.ts'
import { DeleteItem, EditItem, RowMenu } from '../../shared/lists/row-menu.tsx'
import { useDelete } from '../../shared/lists/use-delete.ts'
import { formatNumber } from '../../shared/text/format.ts'
import { texts } from '../../texts.ts'

export interface TagProps {
  readonly tag: Tag
  /** Undefined if tags cannot be changed. */
  readonly onEdit: (() => void) | undefined
}

/** The actions for a tag. */
export function TagMenu({ tag, onEdit }: TagProps) {
  const { id, name } = tag
  return (
    <RowMenu label={texts.tags.actionsOf(name)}>
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
      <EditItem onClick={onEdit} />
      <DeleteItem onClick={useDeleteTag(tag)} />
    </RowMenu>
  )
}

function useDeleteTag({ id, name, linksCount }: Tag): () => void {
  return useDelete({
    title: texts.tags.deleteHeading(name),
    text: texts.tags.deleteWarning(linksCount, formatNumber(linksCount)),
    send: () => deleteTag(id),
    done: texts.tags.deleted(name),
    changes: [tagsKey, linksKey, profileKey],
  })
}
