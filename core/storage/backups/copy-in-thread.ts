import { Worker } from 'node:worker_threads'

/** What the thread has to know. */
export interface CopyData {
  readonly from: string
  readonly to: string
}

/** Copies a database from one path to another. */
export type CopyDatabase = (from: string, to: string, signal: AbortSignal) => Promise<void>

/**
 * Copy a database on a thread of its own: reading and checking gigabytes must not hold up a redirect.
 * The signal breaks it off, and what is left of the copy then is unfinished.
 */
export function copyInThread(program: URL): CopyDatabase {
  return (from, to, signal) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(program, { workerData: { from, to } satisfies CopyData })
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
