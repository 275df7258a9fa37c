import { Button, CloseButton, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Link } from '../../api/links.ts'
import { useFeature } from '../../api/manifest.ts'
import { tagsQuery } from '../../api/tags.ts'
import { formatNumber } from '../../shared/format.ts'
import { IconArchive, IconArchiveOff, IconTag, IconTrash } from '../../shared/icons.ts'
import { TagBadge } from '../../shared/tag-badge.tsx'
import { texts } from '../../texts.ts'
import classes from './bulk-bar.module.css'
import { confirmDelete } from './confirm-delete.ts'
import { useBulk } from './use-bulk.ts'

export interface BulkBarProps {
  readonly links: readonly Link[]
  /** Called when something was done to them, or nothing shall be. */
  onDone(): void
}

/** What can be done to all links that are selected. */
export function BulkBar({ links, onDone }: BulkBarProps) {
  const { archive, remove, tag, isPending } = useBulk(onDone)
  const areArchived = links.every(({ archived }) => archived)
  const Archive = areArchived ? IconArchiveOff : IconArchive
  const small = { size: 'xs', variant: 'default', disabled: isPending } as const
  return (
    <section className={classes.bar} aria-label={texts.links.selection}>
      <strong>{texts.links.selected(formatNumber(links.length))}</strong>
      <TagMenu isDisabled={isPending} onChoose={id => tag(links, id)} />
      <Button
        {...small}
        leftSection={<Archive size={15} />}
        onClick={() => archive(links, !areArchived)}
      >
        {areArchived ? texts.links.unarchive : texts.links.archive}
      </Button>
      <Button
        {...small}
        leftSection={<IconTrash size={15} />}
        onClick={() => confirmDelete(links.length, () => remove(links))}
      >
        {texts.common.delete}
      </Button>
      <CloseButton aria-label={texts.links.clearSelection} onClick={onDone} />
    </section>
  )
}

interface TagMenuProps {
  readonly isDisabled: boolean
  onChoose(tagId: string): void
}

function TagMenu({ isDisabled, onChoose }: TagMenuProps) {
  const isOn = useFeature('organization.tags') === 'on'
  const { data: tags } = useQuery({ ...tagsQuery(), enabled: isOn })
  if (!isOn || !tags?.length) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={isDisabled}
          leftSection={<IconTag size={15} />}
        >
          {texts.links.addTag}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.tags}>
        {tags.map(({ id, name, color }) => (
          <Menu.Item key={id} onClick={() => onChoose(id)}>
            <TagBadge name={name} color={color} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
