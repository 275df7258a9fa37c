import type { MessagePort } from 'node:worker_threads'
import { plainError } from '../../lib/caught.ts'
import { messageForPeople } from '../../lib/message-for-people.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { receiveLinkDelta, type SentVisits } from '../wire/packed-visits.ts'
import type { CalledDimension } from './called-dimension.ts'
import type { ChangeableWriter, StoredVisits } from './visit-writer.ts'

/** What a thread has to load in order to count. */
export interface Counting {
  /** The features whose plugins count, in running order. */
  readonly features: readonly string[]
  /** The plugins among them that do not come with Linnet, and where to find them. */
  readonly outside: readonly FromOutside[]
  /** Whether somebody wants to know which links were visited. */
  readonly namesVisited: boolean
}

/** The same, with the memory in which the thread notes which dimension it is calling. */
export interface WatchedCounting extends Counting {
  readonly called: CalledDimension
}

/** A plugin that does not come with Linnet. */
export interface FromOutside {
  readonly feature: string
  /** The URL to import, with the version in it. */
  readonly url: string
  /** The names of its dimensions. */
  readonly dimensions: readonly string[]
  /** Why it must not be called; absent if it may be. */
  readonly problem?: string
}

/** What the recorder asks its thread to do. */
export interface ThreadWork
  extends Pick<ChangeableWriter<WatchedCounting>, 'fold' | 'recent' | 'close'> {
  store(sequence: number, visits: SentVisits): Promise<StoredVisits>
  prepare(counting: WatchedCounting): Promise<void>
  /** Switches to the counting that was prepared last. */
  change(): Promise<void>
}

/** A call and its reply carry the same number. */
export interface Call {
  readonly number: number
  readonly work: keyof ThreadWork
  readonly args: readonly unknown[]
}

export type Reply =
  | { readonly number: number; readonly answer: unknown }
  | {
      readonly number: number
      readonly failure: string
      readonly code?: string
      /** Whether the database cannot be reached now: the class of the error does not come along. */
      readonly isAway?: true
    }

/** An error on the thread that nobody awaited. */
export interface UncaughtOnThread {
  readonly uncaught: Error
}

/** Passes an uncaught error to the main thread, which knows whose fault it is. */
export function reportUncaught(port: MessagePort, error: unknown): void {
  port.postMessage({ uncaught: plainError(error) } satisfies UncaughtOnThread)
}

/** Answers the calls of `writerInThread` on a thread, until it is told to close. */
export function serveWriter(port: MessagePort, writer: ChangeableWriter<WatchedCounting>): void {
  const receive = receiveLinkDelta()
  let change: (() => void) | undefined
  const all: ThreadWork = {
    ...writer,
    store: (sequence, visits) => writer.store(sequence, receive(visits)),
    async prepare(counting) {
      change = await writer.prepare(counting)
    },
    async change() {
      change?.()
    },
  }

  port.on('message', async (call: Call) => {
    port.postMessage(await reply(call, all[call.work]))
    if (call.work === 'close') port.close()
  })
}

/** The arguments fit the work: see `Ask`. */
async function reply(
  { number, args }: Call,
  work: (...args: never[]) => Promise<unknown>,
): Promise<Reply> {
  try {
    return { number, answer: await work(...(args as never[])) }
  } catch (error) {
    const hasCode = error instanceof Error && 'code' in error
    return {
      number,
      failure: messageForPeople(error),
      ...(hasCode && { code: String(error.code) }),
      ...(isOutOfReach(error) && { isAway: true }),
    }
  }
}
