import { setTimeout as delay } from 'node:timers/promises'
import { newCalledDimension } from './called-dimension.ts'
import { startThread, type Thread, type ThreadData } from './recorder-thread.ts'
import type { Counting } from './serve-writer.ts'
import type { ChangeableWriter } from './visit-writer.ts'

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

  function running(): Thread {
    // Another thread would keep the process alive for ever.
    if (!isOpen) throw new Error('The recorder is closed.')
    if (thread.hasEnded()) thread = start()
    return thread
  }

  return {
    async store(sequence, visits) {
      const { ask, ready } = running()
      return ask('store', sequence, ready(visits))
    },
    fold: async () => running().ask('fold'),
    recent: async accountId => running().ask('recent', accountId),

    async prepare(next) {
      const counting = { ...next, called: newCalledDimension() }
      const late = delay(prepareMs, 'late' as const, { ref: false })
      if ((await Promise.race([running().ask('prepare', counting), late])) === 'late') {
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
      await Promise.race([thread.ask('close'), delay(closeMs, undefined, { ref: false })])
      await thread.end()
    },
  }
}
