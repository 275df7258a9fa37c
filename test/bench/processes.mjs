import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Starts a process that does not outlive this one. */
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

/** Ends a process and waits for it; throws if it has already ended. */
export async function stop(child) {
  if (hasEnded(child)) {
    throw new Error(`A server ended by itself with ${child.exitCode ?? child.signalCode}.`)
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/**
 * The port that a server says it listens on, once `pattern` matches its output, which `read` returns. A port
 * chosen before the start could be taken by another program in the meantime. Throws if the server ends instead.
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
