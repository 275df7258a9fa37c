import { useQuery } from '@tanstack/react-query'
import type { Subject } from '../../../api/analytics/analytics.ts'
import { type Live, liveQuery } from '../../../api/analytics/live.ts'
import { formatNumber, formatTime } from '../../../shared/text/format.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { useAnalyticsSearch } from '../controls/use-analytics-search.ts'
import classes from './live.module.css'

const texts = analyticsTexts.live

/** How many minutes of visits are known once the server has run long enough. */
const wholeMinutes = 29

/** The visits of the last minutes, updated live. */
export function LiveVisits({ subject }: { readonly subject: Subject }) {
  const { search } = useAnalyticsSearch()
  const { data } = useQuery(liveQuery(subject, search.domain))
  const { last5Minutes = 0, last30Minutes = 0, points = [] } = data ?? {}
  return (
    <section
      className={classes.live}
      aria-label={texts.heading}
      title={texts.counted}
      data-unknown={data === undefined || undefined}
    >
      <span className={classes.dot} data-on={last5Minutes > 0 || undefined} aria-hidden="true" />
      <strong>{texts.in5(last5Minutes, formatNumber(last5Minutes))}</strong>
      <span className={classes.more}>
        {texts.in30(formatNumber(last30Minutes))}
        {data && isYoung(data) && `, ${texts.since(formatTime(data.since))}`}
      </span>
      <Bars points={points} />
    </section>
  )
}

/** Whether the server started counting within these minutes. */
function isYoung({ since }: Live): boolean {
  return Date.now() - Date.parse(since) < wholeMinutes * 60_000
}

const [width, height, gap] = [4, 20, 1.5]

/** One bar per minute, the current one last. Hidden from screen readers: the numbers are beside them. */
function Bars({ points }: { readonly points: NonNullable<Live['points']> }) {
  if (points.length === 0) return null
  const most = Math.max(1, ...points.map(({ visits }) => visits))
  return (
    <svg
      className={classes.bars}
      width={points.length * (width + gap)}
      height={height}
      aria-hidden="true"
    >
      {points.map(({ start, visits }, index) => {
        const high = visits === 0 ? 1 : Math.max((visits / most) * height, 3)
        return (
          <rect
            key={start}
            data-some={visits > 0 || undefined}
            x={index * (width + gap)}
            y={height - high}
            width={width}
            height={high}
            rx={1}
          />
        )
      })}
    </svg>
  )
}
