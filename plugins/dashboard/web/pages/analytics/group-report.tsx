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
  /** Undefined while it is on its way. */
  readonly group: { readonly name: string; readonly linksCount: number } | undefined
  /** Says in a sentence how many links it has. */
  leadOf(count: number, shown: string): string
  /** Where its links are listed. */
  readonly links: { readonly tag: string } | { readonly campaign: string }
}

/** The numbers of links that belong together. */
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
