import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconChartLine } from '../../../shared/icons/icons.ts'
import { Empty } from '../../../shared/notices/empty.tsx'
import { texts } from '../../../texts.ts'
import { useAnalyticsSearch } from '../controls/use-analytics-search.ts'

export interface NoVisitsProps {
  /** How to get visits. */
  readonly lead: string
  readonly children?: ReactNode
  /** Whether there has certainly never been a visit. */
  readonly isNew?: boolean
}

/** Shown if there are no visits in this span, or none at all. */
export function NoVisits({ lead, children, isNew = false }: NoVisitsProps) {
  const { search, change } = useAnalyticsSearch()
  const isAll = isNew || search.interval === 'all'
  return (
    <Empty
      icon={<IconChartLine size={40} stroke={1.5} />}
      heading={isAll ? texts.analytics.noneYet : texts.analytics.noneInSpan}
      lead={lead}
    >
      {children}
      {!isAll && (
        <Button
          variant="default"
          onClick={() => change({ interval: 'all', from: undefined, to: undefined })}
        >
          {texts.analytics.showAllTime}
        </Button>
      )}
    </Empty>
  )
}
