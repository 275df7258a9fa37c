import { Worker } from 'node:worker_threads'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { messageForPeople } from '../../lib/message-for-people.ts'
import type { Address } from '../../storage/database.ts'
import { ServerAway } from '../../storage/files/out-of-reach.ts'
import type { PlaceSource } from '../facts/place-files.ts'
import { sendLinkDelta } from '../wire/packed-visits.ts'
import {
  arePluginsLoading,
  calledNow,
  type StuckPlugin,
  watchForStuckPlugin,
} from './called-dimension.ts'
import type {
  Call,
  Counting,
  Reply,
  ThreadWork,
  UncaughtOnThread,
  WatchedCounting,
} from './serve-writer.ts'

/** What the thread needs to know to start. */
export interface ThreadData extends WatchedCounting {
  /** The address of the database. */
  readonly address: Address
  /** Identifies the recorder, across all of its threads. */
  readonly run: string
  /** Where to find files of places, apart from those that come with Linnet. */
  readonly places?: PlaceSource
  /** The folder of files of plugins. */
  readonly filesFolder?: string | undefined
}

/** How often to check for a stuck plugin while closing, in milliseconds. */
const lookAtCloseMs = 60

/** While closing, a thread that has not answered anything, and loads plugins for this many checks, counts as stuck. */
const silentLooks = 12

/** The thread that counts. */
export interface Thread {
  /** Prepares visits for this particular thread, which remembers links. */
  readonly ready: ReturnType<typeof sendLinkDelta>
  ask: Ask
  /** Switches to the counting that it was prepared for. */
  change(counting: WatchedCounting): void
  /** Stop waiting for plugins. */
  hurry(): void
  hasEnded(): boolean
  end(): Promise<unknown>
}

/** Asks the thread to do one of its works, with the arguments of that. */
type Ask = <Work extends keyof ThreadWork>(
  work: Work,
  ...args: Parameters<ThreadWork[Work]>
) => ReturnType<ThreadWork[Work]>

/** A thread that needs more ends, and the next one goes on with the same visits. */
const heap = {
  maxOldGenerationSizeMb: memoryShares.counting.oldBytes / 2 ** 20,
  maxYoungGenerationSizeMb: memoryShares.counting.youngBytes / 2 ** 20,
}

/** Starts the thread; `onStuck` is called with the plugin because of which it is terminated. */
export function startThread(
  program: URL,
  data: ThreadData,
  lookMs: number,
  onStuck: (stuck: StuckPlugin) => void,
): Thread {
  const worker = new Worker(program, { workerData: data, resourceLimits: heap })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  let hasEnded = false
  let reason = 'The recorder thread ended'
  let counting: WatchedCounting = data
  let everyMs = lookMs
  let look = lookAnew()
  let watch: NodeJS.Timeout | undefined
  let hasAnswered = false

  function lookAnew(): () => StuckPlugin | undefined {
    return watchForStuckPlugin(counting.outside, counting.called, everyMs)
  }

  /** Some plugin keeps the thread from starting, but nobody knows which: give up all that do not come with Linnet. */
  function lookWhetherSilent(): () => StuckPlugin | undefined {
    const stuck = { feature: undefined, why: 'did not let the counting thread start' }
    let looks = 0
    return () => {
      // Before it loads plugins, the thread starts, which may take long on a busy machine.
      looks = arePluginsLoading(counting.called) ? looks + 1 : 0
      return !hasAnswered && looks >= silentLooks && isStrange(counting) ? stuck : undefined
    }
  }

  function endIfStuck(): void {
    const stuck = look()
    if (!stuck) return
    stopWatching()
    reason = `${stuck.feature ?? 'A plugin'} ${stuck.why}`
    onStuck(stuck)
    void worker.terminate()
  }

  function stopWatching(): void {
    clearInterval(watch)
    watch = undefined
  }

  const ask: Ask = (work, ...args) => {
    calls += 1
    watch ??= setInterval(endIfStuck, everyMs).unref()
    worker.postMessage({ number: calls, work, args } satisfies Call)
    const answer = Promise.withResolvers<unknown>()
    waiting.set(calls, answer)
    return answer.promise as ReturnType<ThreadWork[typeof work]>
  }

  worker.on('message', (reply: Reply | UncaughtOnThread) => {
    hasAnswered = true
    if ('uncaught' in reply) {
      failHere(reply)
      return
    }
    const call = waiting.get(reply.number)
    waiting.delete(reply.number)
    if (waiting.size === 0) stopWatching()
    if ('answer' in reply) call?.resolve(reply.answer)
    else call?.reject(failureOf(reply))
  })
  worker.on('error', error => {
    reason = `The recorder thread died: ${whyOf(error)}`
    const guilty = isOutOfMemory(error) && calledNow(counting.outside, counting.called)
    if (guilty)
      onStuck({ feature: guilty.feature, why: `dimensions.${guilty.name} used up the memory` })
  })
  worker.on('exit', () => {
    hasEnded = true
    stopWatching()
    for (const { reject } of waiting.values()) reject(new Error(reason))
  })

  return {
    ready: sendLinkDelta(),
    hasEnded: () => hasEnded,
    end: () => worker.terminate(),
    ask,
    change(next) {
      // Nothing is lost: the next thread starts with the current counting.
      if (hasEnded) return
      const watchNext = () => {
        counting = next
        look = lookAnew()
      }
      ask('change').then(watchNext, () => undefined)
    },
    hurry() {
      everyMs = lookAtCloseMs
      const [ofAsked, ofSilent] = [lookAnew(), lookWhetherSilent()]
      look = () => ofAsked() ?? ofSilent()
      if (watch === undefined) return
      stopWatching()
      watch = setInterval(endIfStuck, everyMs).unref()
    },
  }
}

function whyOf(error: unknown): string {
  return isOutOfMemory(error)
    ? `its ${Math.round(heap.maxOldGenerationSizeMb)} MiB of memory were used up. Give Linnet more memory, or count fewer different values`
    : messageForPeople(error)
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function isStrange({ outside }: Counting): boolean {
  return outside.some(({ problem }) => problem === undefined)
}

/** Throws the error as if it had happened on this thread, where uncaught errors are reported. */
function failHere({ uncaught }: UncaughtOnThread): void {
  queueMicrotask(() => {
    throw uncaught
  })
}

function failureOf({ failure, code, isAway }: Extract<Reply, { failure: unknown }>): Error {
  const error = isAway ? new ServerAway(failure) : new Error(failure)
  return Object.assign(error, code !== undefined && { code })
}
