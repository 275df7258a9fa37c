import { Loader } from '@mantine/core'
import type { Job } from '../../../api/admin/jobs.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { formatAgo, formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { formatSpan } from '../format-span.ts'
import classes from './last-run.module.css'

const words = adminTexts.jobs
const colors = { succeeded: 'teal', failed: 'red', interrupted: 'yellow' } as const

/** When a job ran last, and how that went. */
export function LastRun({ job }: { readonly job: Job }) {
  const { running, startedAt, endedAt, outcome, error } = job
  return (
    <div className={classes.run}>
      {running ? (
        <div className={classes.outcome}>
          <Loader size={14} aria-hidden="true" />
          <span role="status">{words.running}</span>
        </div>
      ) : outcome && startedAt ? (
        <div className={classes.outcome}>
          <Mark color={colors[outcome]}>{words.outcomes[outcome]}</Mark>
          <span title={formatMoment(startedAt)}>
            {endedAt
              ? words.ran(formatAgo(startedAt), formatSpan(startedAt, endedAt))
              : formatAgo(startedAt)}
          </span>
        </div>
      ) : (
        <p>{words.never}</p>
      )}
      {outcome === 'interrupted' && <p>{words.interrupted}</p>}
      {error && <p className={classes.error}>{error}</p>}
    </div>
  )
}
