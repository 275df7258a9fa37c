import { Worker } from 'node:worker_threads'
import { Overloaded } from './async/bounded-queue.ts'

/** What the thread is to compare. */
export interface BcryptWork {
  readonly attempt: string
  readonly hash: string
}

/** Far more than cost 14 takes, the highest that is accepted, and as long as a guess has its turn. */
const mostMs = 15_000

/** 4 KiB are all that bcrypt works with; the rest is for the thread itself. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

let program: URL | undefined

/** Compares in threads from now on, each of which runs this program. Before that, it is done in this thread. */
export function compareBcryptIn(worker: URL): void {
  program = worker
}

/**
 * Compares with a hash of bcrypt in a thread of its own: in JavaScript that takes as much time as scrypt does, and would keep
 * redirects waiting. Whoever calls this says how many run at once. Throws `Overloaded` if it takes too long.
 */
export async function matchesBcrypt(attempt: string, hash: string): Promise<boolean> {
  if (program === undefined) {
    const { default: bcrypt } = await import('bcryptjs')
    return bcrypt.compare(attempt, hash)
  }
  const workerData: BcryptWork = { attempt, hash }
  const worker = new Worker(program, { workerData, env: {}, execArgv: [], resourceLimits })
  const timer = setTimeout(() => void worker.terminate(), mostMs)
  try {
    return await new Promise<boolean>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Overloaded('A guess took too long to check.')))
    })
  } finally {
    clearTimeout(timer)
  }
}
