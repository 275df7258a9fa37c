import { Button, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Job, jobsKey, runJob } from '../../../api/admin/jobs.ts'
import { IconPlayerPlay } from '../../../shared/icons/icons.ts'
import { notifyDone, notifyFailed } from '../../../shared/notices/notify.ts'
import { formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './job-row.module.css'
import { LastRun } from './last-run.tsx'
import { scheduleInWords } from './schedule.ts'

const words = adminTexts.jobs

/** A job: its schedule, the result of its last run, and a button to run it now. */
export function JobRow({ job }: { readonly job: Job }) {
  const { label, every, running, nextRunAt } = job
  const { run, isPending } = useRun(job)
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Title order={2} className={classes.name}>
          {label}
        </Title>
        <p className={classes.when}>
          <span>{scheduleInWords(every)}</span>
          {nextRunAt && <span>{words.next(formatMoment(nextRunAt))}</span>}
        </p>
      </div>
      <LastRun job={job} />
      <Button
        variant="default"
        size="sm"
        leftSection={<IconPlayerPlay size={16} />}
        loading={running || isPending}
        aria-label={words.runOf(label)}
        onClick={run}
      >
        {words.run}
      </Button>
    </li>
  )
}

function useRun({ name, label }: Job) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => runJob(name),
    onSuccess({ running, error }) {
      if (running) notifyDone(words.goesOn(label))
      else if (error) notifyFailed(error)
      else notifyDone(words.done(label))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobsKey }),
  })
  return { run: () => mutate(), isPending }
}
