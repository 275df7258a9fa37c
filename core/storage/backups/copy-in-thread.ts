import { Worker } from 'node:worker_threads'
import { UnusableDatabase } from '../files/inspect-file.ts'
import type { PreviewRestore, RestorePreview } from './preview-restore.ts'

/** What the thread is to do. */
export interface BackupWork {
  /** `copy` copies `from` to `to`; `preview` tells what would change if `from` replaced `to`; `check` reads all of `from`. */
  readonly task: 'copy' | 'preview' | 'check'
  readonly from: string
  readonly to: string
}

/** The thread's answer to a preview. */
export type Previewed = { readonly preview: RestorePreview } | { readonly unusable: string }

/** Copies a database from one path to another. */
export type CopyDatabase = (from: string, to: string, signal: AbortSignal) => Promise<void>

/**
 * Copies a database on a separate thread, because reading and verifying gigabytes must not delay redirects. The
 * signal aborts it, and leaves an unfinished copy.
 */
export function copyInThread(program: URL): CopyDatabase {
  return (from, to, signal) => ended(program, { task: 'copy', from, to }, signal)
}

/** Reads all of a database on such a thread; rejects if it is damaged. */
export function checkInThread(program: URL, file: string, signal: AbortSignal): Promise<void> {
  return ended(program, { task: 'check', from: file, to: file }, signal)
}

function ended(program: URL, what: BackupWork, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = work(program, what)
    const end = () => void worker.terminate()
    signal.addEventListener('abort', end, { once: true })
    worker.once('error', reject)
    worker.once('exit', code => {
      signal.removeEventListener('abort', end)
      if (code === 0) return resolve()
      reject(new Error(`The ${what.task} of ${what.from} was interrupted.`))
    })
    if (signal.aborted) end()
  })
}

/** Compares a backup with the database on such a thread. */
export function previewInThread(program: URL): PreviewRestore {
  return (from, to) =>
    new Promise((resolve, reject) => {
      const worker = work(program, { task: 'preview', from, to })
      worker.once('message', (message: Previewed) => {
        if ('preview' in message) resolve(message.preview)
        else reject(new UnusableDatabase(message.unusable))
      })
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error(`${from} was not compared to the end.`)))
    })
}

function work(program: URL, workerData: BackupWork): Worker {
  return new Worker(program, { workerData })
}
