import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { blockedLinksQuery } from '../../../api/admin/blocked-links.ts'
import { useFeature } from '../../../api/instance/manifest.ts'
import { IconShieldCheck, IconShieldX } from '../../../shared/icons/icons.ts'
import { LongList } from '../../../shared/lists/long-list.tsx'
import { Empty } from '../../../shared/notices/empty.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { BlockedLinkRow } from './blocked-link-row.tsx'

const words = adminTexts.blockedLinks

/** Links that were found to be harmful. */
export function BlockedLinksPage() {
  const isAbsent = useFeature('link.urlScanning') === 'absent'
  return (
    <Page title={adminTexts.pages.blockedLinks} lead={words.lead}>
      {isAbsent ? <Absent /> : <BlockedLinks />}
    </Page>
  )
}

function BlockedLinks() {
  return (
    <LongList
      of={useInfiniteQuery(blockedLinksQuery)}
      heading={words.list}
      empty={
        <Empty
          icon={<IconShieldCheck size={40} stroke={1.5} />}
          heading={words.emptyHeading}
          lead={words.emptyLead}
        />
      }
    >
      {blocked => <BlockedLinkRow key={`${blocked.id} ${blocked.address}`} blocked={blocked} />}
    </LongList>
  )
}

function Absent() {
  return (
    <Empty
      icon={<IconShieldX size={40} stroke={1.5} />}
      heading={words.absentHeading}
      lead={words.absent}
    >
      <Button
        renderRoot={props => (
          <Link
            {...props}
            to="/admin/plugins/$group/$name"
            params={{ group: 'link', name: 'urlScanning' }}
          />
        )}
      >
        {words.toPlugin}
      </Button>
    </Empty>
  )
}
