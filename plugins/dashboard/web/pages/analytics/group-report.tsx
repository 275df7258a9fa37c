import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Subject } from '../../api/analytics/analytics.ts'
import { Page } from '../../shared/page/page.tsx'
import { formatNumber } from '../../shared/text/format.ts'
import { texts } from '../../texts.ts'
import { NoVisits } from './report/no-visits.tsx'
import { Outline } from './report/outline.tsx'
import { Report } from './report/report.tsx'
import { ShareButton } from './share/share-button.tsx'

export interface GroupReportProps {
  readonly subject: Subject
  /** Undefined while it loads. */
  readonly group: { readonly name: string; readonly linksCount: number } | undefined
  /** The sentence that says how many links the group has. */
  leadOf(count: number, shown: string): string
  /** The filter of the list that shows its links. */
  readonly links: { readonly tag: string } | { readonly campaign: string }
}

/** The analytics of links that belong together. */
export function GroupReport({ subject, group, leadOf, links }: GroupReportProps) {
  if (!group) {
    return (
      <Page title={texts.analytics.title}>
        <Outline />
      </Page>
    )
  }
  const toLinks = (
    <Button variant="default" renderRoot={props => <Link {...props} to="/links" search={links} />}>
      {texts.analytics.itsLinks}
    </Button>
  )
  return (
    <Report
      subject={subject}
      title={group.name}
      lead={leadOf(group.linksCount, formatNumber(group.linksCount))}
      actions={
        <>
          {subject.kind !== 'account' && <ShareButton of={subject.id} />}
          {toLinks}
        </>
      }
      empty={<NoVisits lead={texts.analytics.teachGroup}>{toLinks}</NoVisits>}
    />
  )
}
