import { Menu } from '@mantine/core'
import { Link as PageLink } from '@tanstack/react-router'
import { useFeature } from '../../../api/instance/manifest.ts'
import { useHosts } from '../../../api/links/hosts.ts'
import type { Link } from '../../../api/links/links.ts'
import { copyLink } from '../../../shared/copy/copy-link.ts'
import {
  IconArchive,
  IconArchiveOff,
  IconChartLine,
  IconCopy,
  IconCopyPlus,
  IconPencil,
  IconQrcode,
  IconWorld,
} from '../../../shared/icons/icons.ts'
import { DeleteItem } from '../../../shared/lists/row-menu.tsx'
import { texts } from '../../../texts.ts'
import { confirmDelete } from '../bulk/confirm-delete.ts'
import { useBulk } from '../bulk/use-bulk.ts'

/** The actions for one link, as menu items. */
export function LinkItems({ link }: { readonly link: Link }) {
  const { run } = useBulk()
  const hosts = useHosts().open
  const { id, archived, shortUrl } = link
  const hasQr = useFeature('analytics.visitsFromQrCodesTracking') !== 'absent'
  const Archive = archived ? IconArchiveOff : IconArchive
  return (
    <>
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        renderRoot={props => <PageLink {...props} to="/links/$id" params={{ id }} />}
      >
        {texts.links.edit}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyLink(shortUrl)}>
        {texts.common.copy}
      </Menu.Item>
      {hasQr && (
        <Menu.Item leftSection={<IconQrcode size={16} />} onClick={() => void showQr(link)}>
          {texts.linkQr.heading}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconCopyPlus size={16} />}
        renderRoot={props => <PageLink {...props} to="/links/new" search={{ like: id }} />}
      >
        {texts.links.duplicate}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconChartLine size={16} />}
        renderRoot={props => <PageLink {...props} to="/links/$id/analytics" params={{ id }} />}
      >
        {texts.links.analytics}
      </Menu.Item>
      {hosts.length > 0 && (
        <Menu.Item
          leftSection={<IconWorld size={16} />}
          onClick={() =>
            void askDomain(1, hosts, host => run({ links: [link] }, ({ moveTo }) => moveTo(host)))
          }
        >
          {texts.links.move}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<Archive size={16} />}
        onClick={() => run({ links: [link] }, ({ archive }) => archive(!archived))}
      >
        {archived ? texts.links.unarchive : texts.links.archive}
      </Menu.Item>
      <DeleteItem
        onClick={() => confirmDelete(1, () => run({ links: [link] }, ({ remove }) => remove))}
      />
    </>
  )
}

/** The QR code and its settings are more code than the list. */
async function showQr(link: Link): Promise<void> {
  const { showQr } = await import('../link-qr/show-qr.tsx')
  showQr(link)
}

/** The dialog is seldom needed, so it is loaded on demand. */
async function askDomain(...asked: Parameters<typeof import('../bulk/ask.tsx').askDomain>) {
  const { askDomain } = await import('../bulk/ask.tsx')
  askDomain(...asked)
}
