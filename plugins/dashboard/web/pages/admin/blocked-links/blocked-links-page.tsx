import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { blockedLinksQuery } from '../../../api/admin-blocked-links.ts'
import { useFeature } from '../../../api/manifest.ts'
import { Empty } from '../../../shared/empty.tsx'
import { IconShieldCheck, IconShieldX } from '../../../shared/icons.ts'
import { MoreButton } from '../../../shared/more-button.tsx'
import { Page } from '../../../shared/page.tsx'
import { Rows } from '../../../shared/rows.tsx'
import things from '../../../shared/things.module.css'
import { texts } from '../../../texts.ts'
import { BlockedLinkRow } from './blocked-link-row.tsx'

const words = texts.admin.blockedLinks

/** Links that were found to lead to harm. */
export function BlockedLinksPage() {
  const isAbsent = useFeature('link.urlScanning') === 'absent'
  return (
    <Page title={texts.admin.pages.blockedLinks} lead={words.lead}>
      {isAbsent ? <Absent /> : <BlockedLinks />}
    </Page>
  )
}

function BlockedLinks() {
  const { data, error, ...paging } = useInfiniteQuery(blockedLinksQuery)
  if (error && !data) throw error
  if (!data) return <Rows />
  if (data.total === 0) {
    return (
      <Empty
        icon={<IconShieldCheck size={40} stroke={1.5} />}
        heading={words.emptyHeading}
        lead={words.emptyLead}
      />
    )
  }
  return (
    <>
      <VisuallyHidden component="h2">{words.list}</VisuallyHidden>
      <ul className={things.list}>
        {data.items.map(blocked => (
          <BlockedLinkRow key={`${blocked.id} ${blocked.address}`} blocked={blocked} />
        ))}
      </ul>
      <MoreButton {...paging} />
    </>
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
