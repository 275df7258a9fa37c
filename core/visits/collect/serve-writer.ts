import type { MessagePort } from 'node:worker_threads'
import { receiveLinkDelta, type SentVisits } from '../wire/link-delta.ts'
import type { CalledDimension } from './called-dimension.ts'
import type { ChangeableWriter } from './visit-writer.ts'

/** What a thread has to load to know what is counted. */
export interface Counting {
  /** The features whose plugins count, in running order. */
  readonly features: readonly string[]
  /** Those of them that did not come with Linnet, and where they are. */
  readonly outside: readonly FromOutside[]
  /** Somebody wants to know which links were visited. */
  readonly namesVisited: boolean
}

/** The same, with where the thread notes whom it asks. */
export interface WatchedCounting extends Counting {
  readonly called: CalledDimension
}

/** A plugin that did not come with Linnet. */
export interface FromOutside {
  readonly feature: string
  /** What is imported, with the version in it. */
  readonly url: string
  /** Names of what it counts. */
  readonly dimensions: readonly string[]
  /** Why it must not be called; absent: it may. */
  readonly problem?: string
}

/** What the recorder asks of its thread. */
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
  | { readonly number: number; readonly failure: string; readonly code?: string }

/** Something failed on the thread that nobody waited for. */
export interface UncaughtOnThread {
  readonly uncaught: { readonly message: string; readonly stack?: string }
}

/** Have the main thread tell of it, which knows whose fault it is. */
export function reportUncaught(port: MessagePort, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  port.postMessage({ uncaught: { message, ...(stack && { stack }) } } satisfies UncaughtOnThread)
}

/** Answer on a thread what `writerInThread` asks, until it asks to close. */
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
    return { number, failure, ...(hasCode && { code: String(error.code) }) }
  }
}
