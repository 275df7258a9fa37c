import { workerData } from 'node:worker_threads'
import { backUp } from './storage/backups/backup.ts'
import type { CopyData } from './storage/backups/copy-in-thread.ts'

/** The backup's thread: copies the database and the settings and checks the copy, then ends. */
const { from, to } = workerData as CopyData
await backUp(from, to)
