import { z } from 'zod'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Switcher } from '../../kernel/run/switcher.ts'
import { within } from '../../lib/async/within.ts'
import { refuse } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import { forAdmins, type Route, route } from '../api/route/route.ts'

const job = z.object({
  name: z.string(),
  label: z.string(),
  every: z.string().meta({ description: 'Schedule as five cron fields, in UTC.' }),
  running: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  error: z.string().nullable(),
  outcome: z
    .enum(['succeeded', 'failed', 'interrupted'])
    .nullable()
    .meta({ description: 'How the last run ended; null while it runs and if it never ran.' }),
  nextRunAt: z.iso.datetime().nullable(),
})

/** How long a request waits for the job that it began, in milliseconds. */
const waitMs = 5_000

const jobsAnswer = z.object({ data: z.array(job) })
const jobAnswer = z.object({ data: job })

/** Scheduled jobs: list them, or run one now. */
export function jobRoutes({
  jobs,
  switcher,
  log,
}: {
  readonly jobs: Jobs
  readonly switcher: Pick<Switcher, 'plugins' | 'available'>
  readonly log: Log
}): readonly Route[] {
  return [
    route('GET /admin/jobs', {
      ...forAdmins,
      name: 'jobs.list',
      summary: 'List the jobs and their last runs',
      answer: jobsAnswer,
      handle: async () => ({ body: { data: await jobs.list() } }),
    }),
    route('POST /admin/jobs/:name/run', {
      ...forAdmins,
      name: 'jobs.run',
      summary: 'Run a job now; a long one continues after the answer',
      answer: jobAnswer,
      problems: [404, 409],
      async handle({ params: { name } }) {
        const states = await jobs.list()
        if (!states.some(state => state.name === name)) {
          return refuse('not_found', whyNoJob(name ?? '', switcher), 404)
        }
        const run = jobs.run(name ?? '')
        run.catch(error => log.error(`The job ${name} could not be recorded`, { error }))
        if (!(await within(waitMs, run, true))) {
          return refuse('job_running', 'This job is already running.', 409)
        }
        return { body: { data: (await jobs.list()).find(state => state.name === name) } }
      },
    }),
  ]
}

/** The jobs of a plugin, whose names begin with its feature, exist only while it runs. */
function whyNoJob(
  name: string,
  { plugins, available }: Pick<Switcher, 'plugins' | 'available'>,
): string {
  const { running, leftOut } = plugins()
  const feature = Object.keys(available().registry).find(it => name.startsWith(`${it}.`))
  if (feature === undefined || running.some(({ plugin }) => plugin.feature === feature)) {
    return 'There is no job with this name.'
  }
  const why = leftOut[feature]
  return why === undefined
    ? `Jobs of ${feature} cannot run, because this plugin is off. Switch it on first.`
    : `Jobs of ${feature} cannot run, because this plugin does not run: ${why}.`
}
