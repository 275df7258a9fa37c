import { z } from 'zod'
import type { Jobs } from '../../kernel/jobs.ts'
import { refuse } from '../../outcomes.ts'
import { type Route, route } from '../route.ts'

const job = z.object({
  name: z.string(),
  every: z.string().meta({ description: 'Five cron fields, in UTC.' }),
  running: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  error: z.string().nullable(),
})

/** What runs by the clock: look at it, run it now. */
export function jobRoutes(jobs: Jobs): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/jobs',
      name: 'jobs.list',
      group: 'Admin',
      summary: 'List the jobs and their last runs',
      scope: 'admin',
      answer: z.object({ data: z.array(job) }),
      status: 200,
      handle: async () => ({ body: { data: await listed(jobs) } }),
    }),
    route({
      method: 'POST',
      path: '/admin/jobs/:name/run',
      name: 'jobs.run',
      group: 'Admin',
      summary: 'Run a job now',
      scope: 'admin',
      answer: z.object({ data: job }),
      status: 200,
      async handle({ params: { name } }) {
        const states = await listed(jobs)
        if (!states.some(state => state.name === name)) {
          return refuse('not_found', 'There is no job of that name.', 404)
        }
        if (!(await jobs.run(name ?? ''))) {
          return refuse('job_running', 'That job is running already.', 409)
        }
        return { body: { data: (await listed(jobs)).find(state => state.name === name) } }
      },
    }),
  ]
}

async function listed(jobs: Jobs) {
  return (await jobs.list()).map(({ startedAt, endedAt, ...state }) => ({
    ...state,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }))
}
