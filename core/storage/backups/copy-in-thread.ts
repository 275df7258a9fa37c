import { Worker } from 'node:worker_threads'
import { UnusableDatabase } from '../files/inspect-file.ts'
import type { PreviewRestore, RestorePreview } from './preview-restore.ts'

/** What the thread has to do. */
export interface BackupWork {
  /** `copy` makes `to` of `from`; `preview` says what would change if `from` took the place of `to`. */
  readonly task: 'copy' | 'preview'
  readonly from: string
  readonly to: string
}

/** What the thread says of a preview. */
export type Previewed = { readonly preview: RestorePreview } | { readonly unusable: string }

/** Copies a database from one path to another. */
export type CopyDatabase = (from: string, to: string, signal: AbortSignal) => Promise<void>

/**
 * Copy a database on a thread of its own: reading and checking gigabytes must not hold up a redirect.
 * The signal breaks it off, and what is left of the copy then is unfinished.
 */
export function copyInThread(program: URL): CopyDatabase {
  return (from, to, signal) =>
    new Promise((resolve, reject) => {
      const worker = work(program, { task: 'copy', from, to })
      const end = () => void worker.terminate()
      signal.addEventListener('abort', end, { once: true })
      worker.once('error', reject)
      worker.once('exit', code => {
        signal.removeEventListener('abort', end)
        if (code === 0) return resolve()
        reject(new Error(`The copy to ${to} was interrupted.`))
      })
      if (signal.aborted) end()
    })
}

/** Compare a backup with the database on such a thread. */
export function previewInThread(program: URL): PreviewRestore {
  return (from, to) =>
    new Promise((resolve, reject) => {
      const worker = work(program, { task: 'preview', from, to })
      worker.once('message', (said: Previewed) => {
        if ('preview' in said) resolve(said.preview)
        else reject(new UnusableDatabase(said.unusable))
      })
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error(`${from} was not compared to the end.`)))
    })
}

function work(program: URL, workerData: BackupWork): Worker {
  return new Worker(program, { workerData })
}
