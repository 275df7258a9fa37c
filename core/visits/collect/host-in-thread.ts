import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { PlaceSource } from '../facts/place-files.ts'
import type { Folded } from '../fold/fold.ts'
import { sendLinksOnce } from '../wire/links-once.ts'
import { newAsked, type Stuck, watchAsked } from './asked.ts'
import type { ChangeableHost, StoredVisits } from './recorder-host.ts'
import type { Call, Counting, NumberedCall, Reply, Stray, WatchedCounting } from './serve-host.ts'

/** What the thread has to know to begin. */
export interface ThreadData extends WatchedCounting {
  /** The database. */
  readonly file: string
  /** Names the recorder, through all of its threads. */
  readonly run: string
  /** Where its files of places are, besides what comes with Linnet. */
  readonly places?: PlaceSource
}

/** How long the thread may take to let go of its database. */
const closeMs = 1_000

/** How long it may take to read other plugins. */
const prepareMs = 10_000

/**
 * Do the work on a thread of its own, so that a slow disk is never felt by a redirect. When the thread
 * dies, what it was asked fails, and the next that is asked starts another one. It is ended when a plugin does not
 * answer it; the next does without that plugin, until something else is counted.
 *
 * @param lookMs how often is looked whether it still gets answers
 */
export function hostInThread(
  program: URL,
  first: Omit<ThreadData, 'asked'>,
  lookMs: number,
): ChangeableHost<Counting> {
  let data = first
  let thread = start()
  let isOpen = true

  function start(): Thread {
    return startThread(program, { ...data, asked: newAsked() }, lookMs, ({ feature, why }) => {
      const problem = `${why}, and is not asked again until plugins are changed`
      const outside = data.outside.map(it => (it.feature === feature ? { ...it, problem } : it))
      data = { ...data, outside }
    })
  }

  async function ask(question: (thread: Thread) => Call): Promise<unknown> {
    // Another thread would keep the process alive for ever.
    if (!isOpen) throw new Error('The recorder is closed.')
    if (thread.hasEnded()) thread = start()
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

    async prepare(next) {
      const counting = { ...next, asked: newAsked() }
      const late = delay(prepareMs, 'late' as const, { ref: false })
      if ((await Promise.race([ask(() => ({ ask: 'prepare', counting })), late])) === 'late') {
        // It may never be of use again. Another one begins as this one did, and nothing is counted twice.
        await thread.end()
        throw new Error(
          `the thread that counts did not read it within ${prepareMs / 1_000} seconds`,
        )
      }
      return () => {
        data = { ...data, ...next }
        thread.change(counting)
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
  /** Count what it was prepared for. */
  change(counting: WatchedCounting): void
  hasEnded(): boolean
  end(): Promise<unknown>
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

function startThread(
  program: URL,
  data: ThreadData,
  lookMs: number,
  onStuck: (stuck: Stuck) => void,
): Thread {
  const worker = new Worker(program, { workerData: data })
  const waiting = new Map<number, Waiting>()
  let calls = 0
  let hasEnded = false
  let reason = 'The recorder thread ended.'
  let look = watchAsked(data.outside, data.asked, lookMs)
  let watch: NodeJS.Timeout | undefined

  function endIfStuck(): void {
    const stuck = look()
    if (!stuck) return
    stopWatching()
    reason = `${stuck.feature} ${stuck.why}`
    onStuck(stuck)
    void worker.terminate()
  }

  function stopWatching(): void {
    clearInterval(watch)
    watch = undefined
  }

  function ask(call: Call): Promise<unknown> {
    calls += 1
    const numbered: NumberedCall = { number: calls, call }
    watch ??= setInterval(endIfStuck, lookMs).unref()
    return new Promise((resolve, reject) => {
      worker.postMessage(numbered)
      waiting.set(numbered.number, { resolve, reject })
    })
  }

  worker.on('message', (reply: Reply | Stray) => {
    if ('stray' in reply) {
      failHere(reply)
      return
    }
    const call = waiting.get(reply.number)
    waiting.delete(reply.number)
    if (waiting.size === 0) stopWatching()
    if ('failure' in reply) call?.reject(failureOf(reply))
    else call?.resolve(reply.answer)
  })
  worker.on('error', error => {
    reason = `The recorder thread died: ${error.message}`
  })
  worker.on('exit', () => {
    hasEnded = true
    stopWatching()
    for (const { reject } of waiting.values()) reject(new Error(reason))
  })

  return {
    ready: sendLinksOnce(),
    hasEnded: () => hasEnded,
    end: () => worker.terminate(),
    ask,
    change({ outside, asked }) {
      // That is no loss: the next begins with what is counted now.
      if (hasEnded) return
      const watchNext = () => {
        look = watchAsked(outside, asked, lookMs)
      }
      ask({ ask: 'change' }).then(watchNext, () => undefined)
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
