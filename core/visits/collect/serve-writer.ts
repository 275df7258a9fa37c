import type { MessagePort } from 'node:worker_threads'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { receiveLinkDelta, type SentVisits } from '../wire/link-delta.ts'
import type { CalledDimension } from './called-dimension.ts'
import type { ChangeableWriter } from './visit-writer.ts'

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

/** A call from the recorder to its thread. */
export type Call =
  | { readonly ask: 'store'; readonly sequence: number; readonly visits: SentVisits }
  | { readonly ask: 'fold' }
  | { readonly ask: 'recent'; readonly accountId: number }
  | { readonly ask: 'prepare'; readonly counting: WatchedCounting }
  | { readonly ask: 'change' }
  | { readonly ask: 'close' }

/** A call and its reply carry the same number. */
export interface NumberedCall {
  readonly number: number
  readonly call: Call
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
  readonly uncaught: { readonly message: string; readonly stack?: string }
}

/** Passes an uncaught error to the main thread, which knows whose fault it is. */
export function reportUncaught(port: MessagePort, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  port.postMessage({ uncaught: { message, ...(stack && { stack }) } } satisfies UncaughtOnThread)
}

/** Answers the calls of `writerInThread` on a thread, until it is told to close. */
export function serveWriter(port: MessagePort, writer: ChangeableWriter<WatchedCounting>): void {
  const receive = receiveLinkDelta()
  let change: (() => void) | undefined

  async function answer(call: Call): Promise<unknown> {
    switch (call.ask) {
      case 'store':
        return writer.store(call.sequence, receive(call.visits))
      case 'fold':
        return writer.fold()
      case 'recent':
        return writer.recent(call.accountId)
      case 'prepare':
        change = await writer.prepare(call.counting)
        return
      case 'change':
        return change?.()
      case 'close':
        return writer.close()
    }
  }

  port.on('message', async ({ number, call }: NumberedCall) => {
    port.postMessage(await reply(number, () => answer(call)))
    if (call.ask === 'close') port.close()
  })
}

async function reply(number: number, work: () => Promise<unknown>): Promise<Reply> {
  try {
    return { number, answer: await work() }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    const hasCode = error instanceof Error && 'code' in error
    return {
      number,
      failure,
      ...(hasCode && { code: String(error.code) }),
      ...(isOutOfReach(error) && { isAway: true }),
    }
  }
}
