import { createJobs } from '../../kernel/jobs/jobs.ts'
import { backUp } from '../../storage/backups/backup.ts'
import { createBackups } from '../../storage/backups/backups.ts'
import { type CopyDatabase, copyInThread } from '../../storage/backups/copy-in-thread.ts'
import { removeWhenIdle } from '../../visits/upkeep/remove-when-idle.ts'
import type { LastingRecipes } from '../parts/parts.ts'

/** What keeps the house in order by itself. */
export const keepingRecipes = {
  jobs(get, { now: current }) {
    const { storage, now, log } = get('given')
    return createJobs(current('everyJob'), { db: storage.db, now, log })
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
} satisfies Partial<LastingRecipes>
