import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { analyticsQuery, type Subject } from '../../../api/analytics/analytics.ts'
import { Page, type PageProps } from '../../../shared/page/page.tsx'
import { texts } from '../../../texts.ts'
import { Timeline } from '../chart/timeline.tsx'
import { questionOf } from '../controls/analytics-search.ts'
import { Controls } from '../controls/controls.tsx'
import { useAnalyticsSearch } from '../controls/use-analytics-search.ts'
import { Panels } from '../panels/panels.tsx'
import { TopLinksPanel } from '../panels/top-links-panel.tsx'
import { SaveValues } from '../save/save-values.tsx'
import { useCharts } from '../words/dimensions.ts'
import { Barred } from './barred.tsx'
import { LiveVisits } from './live.tsx'
import { Outline } from './outline.tsx'
import { QuotaNotice } from './quota-notice.tsx'
import classes from './report.module.css'
import { Tiles } from './tiles.tsx'

export interface ReportProps extends Omit<PageProps, 'children'> {
  readonly subject: Subject
  /** Shown in place of empty charts: how to get visits. */
  readonly empty: ReactNode
}

/** The analytics of links: the same page for all links, one link, a tag, or a campaign. */
export function Report({ subject, empty, ...page }: ReportProps) {
  const { search } = useAnalyticsSearch()
  const question = useMemo(() => questionOf(search), [search])
  const asked = { ...question, limit: shownValues }
  const { data: numbers, error, isPlaceholderData } = useQuery(analyticsQuery(subject, asked))
  const { numbers: totals, lines, panels, barred } = useCharts()
  const numbersBelow = useDeferredValue(numbers, undefined)
  if (error && !numbers) throw error
  if (!numbers) {
    return (
      <Page {...page}>
        <Controls subject={subject} />
        <LiveVisits subject={subject} />
        <Outline />
      </Page>
    )
  }

  const isEmpty = Object.values(numbers.totals).every(total => total === 0)
  return (
    <Page {...page}>
      <Controls subject={subject} />
      <LiveVisits subject={subject} />
      <QuotaNotice />
      <div className={classes.report} data-stale={isPlaceholderData || undefined}>
        <Tiles dimensions={totals} numbers={numbers} />
        {isEmpty ? (
          empty
        ) : (
          <>
            {lines.map(line => (
              <Timeline
                key={line.name}
                dimension={line}
                beside={totals}
                numbers={numbers}
                aside={<SaveValues subject={subject} question={question} dimension={line} />}
              />
            ))}
            {subject.kind !== 'links' && <TopLinksPanel subject={subject} question={question} />}
            {numbersBelow && (
              <Panels
                panels={panels}
                subject={subject}
                question={question}
                numbers={numbersBelow}
              />
            )}
          </>
        )}
        <Barred what={barred} />
      </div>
      <p className={classes.foot}>{texts.analytics.howCounted}</p>
    </Page>
  )
}

/** How many values of each dimension fit on the page. */
const shownValues = 8
