import { dirname } from 'node:path'
import type { AnswerCounts } from '../http/api/count-answers.ts'
import type { Checks } from '../http/routes/health-routes.ts'
import type { Containment } from '../kernel/contain/contain.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import type { LinkCache } from '../links/follow/cache.ts'
import type { Measures } from '../plugin/measures.ts'
import type { Storage } from '../storage/database.ts'
import { databaseBytes, freeBytes } from '../storage/files/disk-space.ts'
import type { Recorder } from '../visits/collect/recorder.ts'

const grades = { ok: 0, degraded: 1, failing: 2 } as const

/** How the instance runs, in numbers. */
export async function measure({
  answerCounts,
  cache,
  recorder,
  storage,
  contain,
  jobs,
  health,
  worker,
}: {
  readonly answerCounts: AnswerCounts
  readonly cache: LinkCache
  readonly recorder: Recorder
  readonly storage: Pick<Storage, 'db' | 'file'>
  readonly contain: Containment
  readonly jobs: Jobs
  readonly health: () => Promise<Checks>
  readonly worker: string | undefined
}): Promise<Measures> {
  const { queued, dropped } = recorder.health()
  const { unfolded } = await storage.db
    .selectFrom('visit_batches')
    .select(({ fn }) => fn.countAll<number>().as('unfolded'))
    .executeTakeFirstOrThrow()
  return {
    worker,
    ...answerCounts.read(),
    cachedLinks: cache.size(),
    visits: { waiting: queued, dropped, unfolded },
    health: Object.fromEntries(
      Object.entries(await health()).map(([name, { status }]) => [name, grades[status]]),
    ),
    failingHooks: Object.fromEntries(
      Object.entries(contain.health()).map(([name, { failures }]) => [name, failures]),
    ),
    jobs: (await jobs.list()).map(({ name, outcome, endedAt }) => ({
      name,
      isFailed: outcome === 'failed' || outcome === 'interrupted',
      endedAt,
    })),
    ...(storage.file !== undefined && { disk: diskOf(storage.file) }),
  }
}

function diskOf(file: string): NonNullable<Measures['disk']> {
  const { file: database, log } = databaseBytes(file)
  return { database, log, free: freeBytes(dirname(file)) }
}
