import { setTimeout as delay } from 'node:timers/promises'
import type { Folded } from '../fold/fold.ts'
import { newCalledDimension } from './called-dimension.ts'
import type { RecentVisits } from './recent-visits.ts'
import { startThread, type Thread, type ThreadData } from './recorder-thread.ts'
import type { Call, Counting } from './serve-writer.ts'
import type { ChangeableWriter, StoredVisits } from './visit-writer.ts'

/** How long the thread may take to close its database, in milliseconds. */
const closeMs = 1_000

/**
 * Does the work on a separate thread, so that a slow disk never delays a redirect. If the thread dies, calls to it
 * fail, and the next call starts another one. If a plugin blocks the thread, it is terminated, and the next thread
 * does without that plugin until the counting changes. Closing does not wait for plugins.
 *
 * @param lookMs how often to check whether a plugin blocks the thread
 * @param prepareMs how long the thread may take to load other plugins
 */
export function writerInThread(
  program: URL,
  first: Omit<ThreadData, 'called'>,
  { lookMs, prepareMs }: { readonly lookMs: number; readonly prepareMs: number },
): ChangeableWriter<Counting> {
  let data = first
  let isHurried = false
  let thread = start()
  let isOpen = true

  function start(): Thread {
    const next = startThread(program, { ...data, called: newCalledDimension() }, lookMs, stuck => {
      const problem = `${stuck.why}, and is not called again until plugins change`
      const outside = data.outside.map(it =>
        it.feature === (stuck.feature ?? it.feature) ? { ...it, problem } : it,
      )
      data = { ...data, outside }
    })
    if (isHurried) next.hurry()
    return next
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
    recent: accountId => ask(() => ({ ask: 'recent', accountId })) as Promise<RecentVisits>,

    async prepare(next) {
      const counting = { ...next, called: newCalledDimension() }
      const late = delay(prepareMs, 'late' as const, { ref: false })
      if ((await Promise.race([ask(() => ({ ask: 'prepare', counting })), late])) === 'late') {
        // The thread may never be usable again. The next one starts with the same state, and nothing is counted
        // twice.
        await thread.end()
        throw new Error(`the counting thread did not load it within ${prepareMs / 1_000} seconds`)
      }
      return () => {
        data = { ...data, ...next }
        thread.change(counting)
      }
    },

    hurry() {
      isHurried = true
      thread.hurry()
    },

    async close() {
      isOpen = false
      if (thread.hasEnded()) return
      await Promise.race([thread.ask({ ask: 'close' }), delay(closeMs, undefined, { ref: false })])
      await thread.end()
    },
  }
}
