import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { NoVisits } from './report/no-visits.tsx'
import { Report } from './report/report.tsx'

const account = { kind: 'account' } as const

/** The analytics of all links of the account. */
export function AnalyticsPage() {
  return (
    <Report
      subject={account}
      title={texts.analytics.title}
      lead={texts.analytics.ofAll}
      empty={
        <NoVisits lead={texts.analytics.teachAll}>
          <Button renderRoot={props => <Link {...props} to="/links" />}>
            {texts.errors.toLinks}
          </Button>
        </NoVisits>
      }
    />
  )
}
