import { workerData } from 'node:worker_threads'
import { copyDatabase } from './storage/copy-database.ts'
import type { CopyData } from './storage/copy-in-thread.ts'

/** The backup's thread: copies the database and checks the copy, then ends. */
const { from, to } = workerData as CopyData
await copyDatabase(from, to)
