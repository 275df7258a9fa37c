import { allJobs } from '../kernel/all-jobs.ts'
import { createJobs } from '../kernel/jobs.ts'
import type { Recipes } from '../parts.ts'
import { backUp } from '../storage/backup.ts'
import { createBackups } from '../storage/backups.ts'
import { type CopyDatabase, copyInThread } from '../storage/copy-in-thread.ts'
import { keptUnlessSaid } from '../visits/upkeep/age-counts.ts'
import { removeWhenIdle } from '../visits/upkeep/remove-when-idle.ts'

/** What keeps the house in order by itself. */
export const keepingRecipes = {
  jobs(get) {
    const { storage, now, log, signal, kept = keptUnlessSaid } = get('given')
    const { backupsKept = 7 } = get('given')
    const jobs = allJobs(get('plugins').running, {
      db: storage.db,
      backups: get('backups'),
      backupsKept,
      now,
      signal,
      kept,
    })
    return createJobs(jobs, { db: storage.db, now, log })
  },

  remover(get) {
    const { storage, log } = get('given')
    return removeWhenIdle({ db: storage.db, log })
  },

  backups(get) {
    const { storage, backupUrl, now, signal } = get('given')
    const { file } = storage
    const make: CopyDatabase = backupUrl ? copyInThread(backupUrl) : backUp
    const copy: CopyDatabase = async (...copied) => {
      try {
        await make(...copied)
      } catch (error) {
        storage.damage.note(error)
        throw error
      }
    }
    return file === undefined ? undefined : createBackups({ file, copy, now, signal })
  },
} satisfies Partial<Recipes>
