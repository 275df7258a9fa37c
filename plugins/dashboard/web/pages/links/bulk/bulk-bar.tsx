import { Button, CloseButton, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFeature } from '../../../api/instance/manifest.ts'
import { campaignsQuery } from '../../../api/links/campaigns.ts'
import { useHosts } from '../../../api/links/hosts.ts'
import { tagsQuery } from '../../../api/links/tags.ts'
import {
  IconArchive,
  IconArchiveOff,
  IconClock,
  IconDownload,
  IconQrcode,
  IconSpeakerphone,
  IconTag,
  IconTrash,
  IconWorld,
} from '../../../shared/icons/icons.ts'
import { TagBadge } from '../../../shared/icons/tag-badge.tsx'
import { formatNumber } from '../../../shared/text/format.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { qrTexts } from '../../../texts/qr.ts'
import { texts } from '../../../texts.ts'
import { askDomain, askEnd } from './ask.tsx'
import classes from './bulk-bar.module.css'
import { hasTag } from './changes.ts'
import { type Chosen, countOf } from './chosen.ts'
import { confirmDelete } from './confirm-delete.ts'
import type { LinksFormat } from './links-file.ts'
import { useBulk } from './use-bulk.ts'

export interface BulkBarProps {
  readonly chosen: Chosen
  /** The number of links on all pages of the list. */
  readonly total: number
  /** Selects the links on the other pages too. Undefined if they are selected already, or there are none. */
  readonly onEvery: (() => void) | undefined
  /** Called after an action on the links, or to clear the selection. */
  onDone(): void
}

/** The actions for all selected links. */
export function BulkBar({ chosen, total, onEvery, onDone }: BulkBarProps) {
  const { run, isPending } = useBulk(onDone)
  const canEnd = useFeature('link.linkExpiration') === 'on'
  const hosts = useHosts().open
  const count = countOf(chosen)
  const shown = 'links' in chosen ? chosen.links : undefined
  const areArchived = shown?.every(({ archived }) => archived) ?? false
  const small = { size: 'xs', variant: 'default', disabled: isPending } as const
  const archiveButton = (archived: boolean) => {
    const Icon = archived ? IconArchive : IconArchiveOff
    return (
      <Button
        {...small}
        leftSection={<Icon size={15} />}
        onClick={() => run(chosen, ({ archive }) => archive(archived))}
      >
        {archived ? texts.links.archive : texts.links.unarchive}
      </Button>
    )
  }
  return (
    <section className={classes.bar} aria-label={bulkTexts.selection}>
      <strong>{bulkTexts.selected(formatNumber(count))}</strong>
      {onEvery && (
        <Button size="xs" variant="subtle" onClick={onEvery}>
          {bulkTexts.selectEvery(formatNumber(total))}
        </Button>
      )}
      <TagMenu
        chosen={chosen}
        isDisabled={isPending}
        onAdd={id => run(chosen, ({ addTag }) => addTag(id))}
        onRemove={id => run(chosen, ({ removeTag }) => removeTag(id))}
      />
      <CampaignMenu
        chosen={chosen}
        isDisabled={isPending}
        onChoose={id => run(chosen, ({ putIntoCampaign }) => putIntoCampaign(id))}
      />
      {canEnd && (
        <Button
          {...small}
          leftSection={<IconClock size={15} />}
          onClick={() => askEnd(count, moment => run(chosen, ({ endAt }) => endAt(moment)))}
        >
          {bulkTexts.expiry}
        </Button>
      )}
      {hosts.length > 0 && (
        <Button
          {...small}
          leftSection={<IconWorld size={15} />}
          onClick={() => askDomain(count, hosts, host => run(chosen, ({ moveTo }) => moveTo(host)))}
        >
          {bulkTexts.domain}
        </Button>
      )}
      <TakeMenu chosen={chosen} isDisabled={isPending} />
      {archiveButton(!areArchived)}
      {!shown && archiveButton(false)}
      <Button
        {...small}
        leftSection={<IconTrash size={15} />}
        onClick={() => confirmDelete(count, () => run(chosen, ({ remove }) => remove))}
      >
        {texts.common.delete}
      </Button>
      <CloseButton aria-label={bulkTexts.clearSelection} onClick={onDone} />
    </section>
  )
}

interface MenuProps {
  readonly chosen: Chosen
  readonly isDisabled: boolean
}

interface TagMenuProps extends MenuProps {
  onAdd(tagId: string): void
  onRemove(tagId: string): void
}

function TagMenu({ chosen, isDisabled, onAdd, onRemove }: TagMenuProps) {
  const isOn = useFeature('organization.tags') === 'on'
  const { data: tags } = useQuery({ ...tagsQuery(), enabled: isOn })
  if (!isOn || !tags?.length) return null
  // The tags of links on other pages are not known here.
  const links = 'links' in chosen ? chosen.links : undefined
  const toAdd = tags.filter(({ id }) => !links?.every(it => hasTag(it, id)))
  const toRemove = tags.filter(({ id }) => links?.some(it => hasTag(it, id)) ?? true)
  return (
    <BarMenu label={bulkTexts.tags} icon={<IconTag size={15} />} isDisabled={isDisabled}>
      {toAdd.length > 0 && <Menu.Label>{bulkTexts.addTag}</Menu.Label>}
      {toAdd.map(({ id, name, color }) => (
        <Menu.Item key={id} aria-label={bulkTexts.addTagOf(name)} onClick={() => onAdd(id)}>
          <TagBadge name={name} color={color} />
        </Menu.Item>
      ))}
      {toRemove.length > 0 && <Menu.Label>{bulkTexts.removeTag}</Menu.Label>}
      {toRemove.map(({ id, name, color }) => (
        <Menu.Item key={id} aria-label={bulkTexts.removeTagOf(name)} onClick={() => onRemove(id)}>
          <TagBadge name={name} color={color} />
        </Menu.Item>
      ))}
    </BarMenu>
  )
}

/** The ways to export the links: a file, or QR codes to print. */
function TakeMenu({ chosen, isDisabled }: MenuProps) {
  const hasCodes = useFeature('analytics.visitsFromQrCodesTracking') === 'on'
  const save = async (format: LinksFormat) => {
    const { exportLinks } = await import('./export-links.ts')
    await exportLinks(chosen, format)
  }
  return (
    <BarMenu label={bulkTexts.export} icon={<IconDownload size={15} />} isDisabled={isDisabled}>
      <Menu.Item onClick={() => void save('csv')}>{texts.links.exportCsv}</Menu.Item>
      <Menu.Item onClick={() => void save('json')}>{texts.links.exportJson}</Menu.Item>
      {hasCodes && (
        <Menu.Item
          leftSection={<IconQrcode size={16} />}
          onClick={async () => (await import('./ask-sheet.tsx')).askSheet(chosen)}
        >
          {qrTexts.print}
        </Menu.Item>
      )}
    </BarMenu>
  )
}

interface CampaignMenuProps extends MenuProps {
  onChoose(campaignId: string | null): void
}

function CampaignMenu({ chosen, isDisabled, onChoose }: CampaignMenuProps) {
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
      {(!('links' in chosen) || chosen.links.some(({ campaign }) => campaign)) && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => onChoose(null)}>{bulkTexts.takeOut}</Menu.Item>
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
