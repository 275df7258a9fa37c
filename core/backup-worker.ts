import { parentPort, workerData } from 'node:worker_threads'
import { backUp } from './storage/backups/backup.ts'
import type { BackupWork, Previewed } from './storage/backups/copy-in-thread.ts'
import { previewRestore } from './storage/backups/preview-restore.ts'
import { UnusableDatabase } from './storage/files/inspect-file.ts'
import { expectWhole } from './storage/files/integrity.ts'
import { expectedFile } from './storage/open/sqlite.ts'

/** The backup thread: copies the database and the settings and checks the copy, compares or checks databases; then ends. */
const { task, from, to } = workerData as BackupWork
if (task === 'copy') await backUp(from, to)
else if (task === 'check') await expectWhole(from)
else parentPort?.postMessage(preview())

function preview(): Previewed {
  try {
    return { preview: previewRestore(from, to, expectedFile) }
  } catch (error) {
    if (error instanceof UnusableDatabase) return { unusable: error.message }
    throw error
  }
}
