import { Button, CloseButton, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { campaignsQuery } from '../../api/campaigns.ts'
import type { Link } from '../../api/links.ts'
import { useFeature } from '../../api/manifest.ts'
import { tagsQuery } from '../../api/tags.ts'
import { formatNumber } from '../../shared/format.ts'
import {
  IconArchive,
  IconArchiveOff,
  IconSpeakerphone,
  IconTag,
  IconTrash,
} from '../../shared/icons.ts'
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
  const { archive, remove, tag, untag, move, isPending } = useBulk(onDone)
  const areArchived = links.every(({ archived }) => archived)
  const Archive = areArchived ? IconArchiveOff : IconArchive
  const small = { size: 'xs', variant: 'default', disabled: isPending } as const
  return (
    <section className={classes.bar} aria-label={texts.links.selection}>
      <strong>{texts.links.selected(formatNumber(links.length))}</strong>
      <TagMenu
        links={links}
        isDisabled={isPending}
        onAdd={id => tag(links, id)}
        onRemove={id => untag(links, id)}
      />
      <CampaignMenu links={links} isDisabled={isPending} onChoose={id => move(links, id)} />
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

interface MenuProps {
  readonly links: readonly Link[]
  readonly isDisabled: boolean
}

interface TagMenuProps extends MenuProps {
  onAdd(tagId: string): void
  onRemove(tagId: string): void
}

function TagMenu({ links, isDisabled, onAdd, onRemove }: TagMenuProps) {
  const isOn = useFeature('organization.tags') === 'on'
  const { data: tags } = useQuery({ ...tagsQuery(), enabled: isOn })
  if (!isOn || !tags?.length) return null
  const hasTag = (link: Link, id: string) => link.tags?.some(it => it.id === id) ?? false
  const toAdd = tags.filter(({ id }) => !links.every(it => hasTag(it, id)))
  const toRemove = tags.filter(({ id }) => links.some(it => hasTag(it, id)))
  return (
    <BarMenu label={texts.links.tags} icon={<IconTag size={15} />} isDisabled={isDisabled}>
      {toAdd.length > 0 && <Menu.Label>{texts.links.addTag}</Menu.Label>}
      {toAdd.map(({ id, name, color }) => (
        <Menu.Item key={id} aria-label={texts.links.addTagOf(name)} onClick={() => onAdd(id)}>
          <TagBadge name={name} color={color} />
        </Menu.Item>
      ))}
      {toRemove.length > 0 && <Menu.Label>{texts.links.removeTag}</Menu.Label>}
      {toRemove.map(({ id, name, color }) => (
        <Menu.Item key={id} aria-label={texts.links.removeTagOf(name)} onClick={() => onRemove(id)}>
          <TagBadge name={name} color={color} />
        </Menu.Item>
      ))}
    </BarMenu>
  )
}

interface CampaignMenuProps extends MenuProps {
  onChoose(campaignId: string | null): void
}

function CampaignMenu({ links, isDisabled, onChoose }: CampaignMenuProps) {
  const isOn = useFeature('organization.campaigns') === 'on'
  const { data: campaigns } = useQuery({ ...campaignsQuery(), enabled: isOn })
  if (!isOn || !campaigns?.length) return null
  return (
    <BarMenu
      label={texts.links.campaign}
      icon={<IconSpeakerphone size={15} />}
      isDisabled={isDisabled}
    >
      {campaigns.map(({ id, name }) => (
        <Menu.Item key={id} onClick={() => onChoose(id)}>
          {name}
        </Menu.Item>
      ))}
      {links.some(({ campaign }) => campaign) && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => onChoose(null)}>{texts.links.takeOut}</Menu.Item>
        </>
      )}
    </BarMenu>
  )
}

interface BarMenuProps {
  readonly label: string
  readonly icon: ReactNode
  readonly isDisabled: boolean
  readonly children: ReactNode
}

function BarMenu({ label, icon, isDisabled, children }: BarMenuProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="xs" variant="default" disabled={isDisabled} leftSection={icon}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices}>{children}</Menu.Dropdown>
    </Menu>
  )
}
