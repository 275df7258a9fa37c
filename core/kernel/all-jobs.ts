import { forgetKeys } from '../accounts/idempotency-keys.ts'
import { closePeriods } from '../accounts/usage.ts'
import type { Database } from '../storage/database.ts'
import type { NamedJob } from './jobs.ts'
import type { RunningPlugin } from './start-plugins.ts'

/** Everything that runs by the clock: the core's own jobs, then those of the plugins. */
export function allJobs(
  running: readonly RunningPlugin[],
  { db, now }: { readonly db: Database; readonly now: () => Date },
): readonly NamedJob[] {
  return [
    {
      name: 'usage.closePeriods',
      every: '5 0 * * *',
      run: async () => {
        await closePeriods(db, now)
      },
    },
    {
      name: 'idempotency.forgetKeys',
      every: '35 2 * * *',
      run: () => forgetKeys(db, now().getTime()),
    },
    ...running.flatMap(({ plugin, context }) =>
      Object.entries(plugin.jobs ?? {}).map(([name, job]) => ({
        name: `${plugin.feature}.${name}`,
        every: job.every,
        run: () => job.run(context),
      })),
    ),
  ]
}
