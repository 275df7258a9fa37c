import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Folded } from '../fold/fold.ts'
import { sendLinksOnce } from '../wire/links-once.ts'
import type { ChangeableHost, StoredVisits } from './recorder-host.ts'
import type { Call, Counting, NumberedCall, Reply, Stray } from './serve-host.ts'

/** What the thread has to know to begin. */
export interface ThreadData extends Counting {
  /** The database. */
  readonly file: string
  /** Names the recorder, through all of its threads. */
  readonly run: string
  /** The operator's own MMDB file, if there is one. */
  readonly places?: string
}

/** How long the thread may take to let go of its database. */
const closeMs = 1_000

/** How long it may take to read other plugins. */
const prepareMs = 10_000

/**
 * Do the work on a thread of its own, so that a slow disk is never felt by a redirect. When the thread
 * dies, what it was asked fails, and the next that is asked starts another one.
 */
export function hostInThread(program: URL, first: ThreadData): ChangeableHost<Counting> {
  let data = first
  let thread = startThread(program, data)
  let isOpen = true

  async function ask(question: (thread: Thread) => Call): Promise<unknown> {
    // Another thread would keep the process alive for ever.
    if (!isOpen) throw new Error('The recorder is closed.')
    if (thread.hasEnded()) thread = startThread(program, data)
    return thread.ask(question(thread))
  }

  return {
    store: (sequence, visits) =>
      ask(({ ready }) => ({
        ask: 'store',
        sequence,
        visits: ready(visits),
      })) as Promise<StoredVisits>,
    fold: () => ask(() => ({ ask: 'fold' })) as Promise<Folded>,

    async prepare(counting) {
      const late = delay(prepareMs, 'late' as const, { ref: false })
      if ((await Promise.race([ask(() => ({ ask: 'prepare', counting })), late])) === 'late') {
        // It may never be of use again. Another one begins as this one did, and nothing is counted twice.
        await thread.end()
        throw new Error(
          `the thread that counts did not read it within ${prepareMs / 1_000} seconds`,
        )
      }
      return () => {
        data = { ...data, ...counting }
        // One that has ended is no loss: the next begins with what is counted now.
        thread.ask({ ask: 'change' }).catch(() => undefined)
      }
    },

    async close() {
      isOpen = false
      if (thread.hasEnded()) return
      await Promise.race([thread.ask({ ask: 'close' }), delay(closeMs, undefined, { ref: false })])
      await thread.end()
    },
  }
}

interface Thread {
  /** Makes visits ready for this very thread, which remembers links. */
  readonly ready: ReturnType<typeof sendLinksOnce>
  ask(call: Call): Promise<unknown>
  hasEnded(): boolean
  end(): Promise<unknown>
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

function startThread(program: URL, data: ThreadData): Thread {
  const worker = new Worker(program, { workerData: data })
  const waiting = new Map<number, Waiting>()
  let calls = 0
  let hasEnded = false
  let reason = 'The recorder thread ended.'

  worker.on('message', (reply: Reply | Stray) => {
    if ('stray' in reply) {
      failHere(reply)
      return
    }
    const call = waiting.get(reply.number)
    waiting.delete(reply.number)
    if ('failure' in reply) call?.reject(failureOf(reply))
    else call?.resolve(reply.answer)
  })
  worker.on('error', error => {
    reason = `The recorder thread died: ${error.message}`
  })
  worker.on('exit', () => {
    hasEnded = true
    for (const { reject } of waiting.values()) reject(new Error(reason))
  })

  return {
    ready: sendLinksOnce(),
    hasEnded: () => hasEnded,
    end: () => worker.terminate(),
    ask(call) {
      calls += 1
      const numbered: NumberedCall = { number: calls, call }
      return new Promise((resolve, reject) => {
        worker.postMessage(numbered)
        waiting.set(numbered.number, { resolve, reject })
      })
    },
  }
}

/** As if it had failed on this thread, where stray failures are told of. */
function failHere({ stray }: Stray): void {
  queueMicrotask(() => {
    throw Object.assign(new Error(stray.message), stray)
  })
}

function failureOf({ failure, code }: Extract<Reply, { failure: string }>): Error {
  return Object.assign(new Error(failure), code !== undefined && { code })
}
