import type { Log } from '../plugin.ts'
import { endProcess } from './end-process.ts'

/**
 * How soon a signal that comes again is still the same one, in milliseconds: supervisors tell a process and
 * its group, and `npm start` hands on the Ctrl-C that the terminal sent to both.
 */
const sameMs = { SIGTERM: 2_000, SIGINT: 250 }

/**
 * Resolves at the first signal; one that comes again later ends the process at once. Who started this process for
 * themselves alone, as `linnet dev`, sends a message: it is answered, and the end of them is a signal too.
 */
export function untilStopped(log: Log): Promise<NodeJS.Signals> {
  let firstAt: number | undefined
  return new Promise(resolve => {
    process.once('message', () => process.once('disconnect', () => resolve('SIGHUP')))
    process.on('message', () => process.send?.('heard'))
    process.channel?.unref()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const at = performance.now()
        firstAt ??= at
        resolve(signal)
        if (at - firstAt < sameMs[signal]) return
        log.error(`${signal} again: exiting now`)
        endProcess(1)
      })
    }
  })
}
