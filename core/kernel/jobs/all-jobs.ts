import { forgetExpiredLinks } from '../../accounts/access/one-time-links.ts'
import { forgetDeadSessions } from '../../accounts/access/sessions/sessions.ts'
import { forgetKeys } from '../../accounts/idempotency-keys.ts'
import { forgetDeletedLinks } from '../../links/write/deleted-links.ts'
import type { Backups } from '../../storage/backups/backups.ts'
import type { Database } from '../../storage/database.ts'
import type { KeptDays } from '../../visits/upkeep/age-counts.ts'
import type { Remover } from '../../visits/upkeep/remove-when-idle.ts'
import { tidyCounts } from '../../visits/upkeep/tidy-counts.ts'
import type { Delivery } from '../events/delivery.ts'
import { wordsOf } from '../load/plugin-texts.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import type { NamedJob } from './job-schedule.ts'

/** All scheduled jobs: the core's own, then those of plugins. */
export function allJobs(
  running: readonly RunningPlugin[],
  {
    db,
    backups,
    backupsKept,
    now,
    signal,
    kept,
    deletedDays,
    remover,
    delivery,
    finishDeletions,
  }: {
    readonly db: Database
    readonly backups: Backups | undefined
    /** 0: no backups are scheduled. */
    readonly backupsKept: number
    readonly now: () => Date
    readonly signal: AbortSignal
    readonly kept: KeptDays
    /** For how many days a deleted link can be restored. */
    readonly deletedDays: number
    readonly remover: Pick<Remover, 'wake'>
    readonly delivery: Pick<Delivery, 'dropOldest'>
    /** Goes on with accounts that were being deleted when a process ended. */
    finishDeletions(): Promise<void>
  },
): readonly NamedJob[] {
  return [
    {
      name: 'visits.tidyCounts',
      label: 'Clean up the counts',
      every: '50 1 * * *',
      deletesForGood: true,
      run: () => tidyCounts(db, kept, { now, signal }),
    },
    {
      name: 'links.forgetDeleted',
      label: 'Delete links for good',
      every: '10 2 * * *',
      deletesForGood: true,
      async run() {
        const before = new Date(now().getTime() - deletedDays * 86_400_000)
        await forgetDeletedLinks(db, before, signal)
        remover.wake()
      },
    },
    {
      name: 'sessions.forgetDead',
      label: 'Delete ended sessions',
      every: '20 2 * * *',
      run: async () => {
        await forgetDeadSessions(db, now)
        await forgetExpiredLinks(db, now)
      },
    },
    {
      name: 'accounts.finishDeletions',
      label: 'Finish the deletion of accounts',
      every: '*/10 * * * *',
      run: finishDeletions,
    },
    {
      name: 'idempotency.forgetKeys',
      label: 'Delete old idempotency keys',
      every: '35 2 * * *',
      run: () => forgetKeys(db, now().getTime()),
    },
    {
      name: 'events.dropOldest',
      label: 'Drop events that nobody takes',
      every: '40 * * * *',
      run: () => delivery.dropOldest(),
    },
    ...(backups && backupsKept > 0
      ? [
          {
            name: 'storage.backup',
            label: 'Back up the database',
            every: '15 3 * * *',
            run: () => backups.makeNightly(backupsKept),
          },
        ]
      : []),
    ...running.flatMap(({ plugin, unhurried }) =>
      Object.entries(plugin.jobs ?? {}).map(([name, job]) => ({
        name: `${plugin.feature}.${name}`,
        label: job.label ?? wordsOf(name),
        every: job.every,
        everywhere: job.everywhere,
        run: () => job.run(unhurried),
      })),
    ),
  ]
}
