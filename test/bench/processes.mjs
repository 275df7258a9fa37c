import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A process that does not outlive this one. */
export function launch(file, args, options) {
  const child = spawn(file, args, options)
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** Whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}

/** End a process and wait for it; throws when it has ended before. */
export async function stop(child) {
  if (hasEnded(child)) {
    throw new Error(`A server ended by itself with ${child.exitCode ?? child.signalCode}.`)
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/**
 * Which port a server says it listens on, once `pattern` finds it in what it has written, which `read` gives.
 * A port that was looked for before the start may be another program's by then. Throws when the server ends
 * instead.
 */
export async function untilPort(child, read, pattern) {
  for (;;) {
    const isOver = hasEnded(child)
    const written = read()
    const port = pattern.exec(written)?.[1]
    if (port) return Number(port)
    if (isOver) throw new Error(`A server ended before it was ready:\n${written}`)
    await pause(5)
  }
}
