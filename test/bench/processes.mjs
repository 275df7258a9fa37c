import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const giveUpMs = 60_000

/** A process that does not outlive this one. */
export function launch(file, args, options) {
  const child = spawn(file, args, options)
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** End a process and wait for it; throws when it has ended before. */
export async function stop(child) {
  if (child.exitCode !== null) throw new Error(`A server ended by itself with ${child.exitCode}.`)
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Until an address answers with this status. `why` tells what is known when it never does. */
export async function untilAnswer(child, url, status, { headers = {}, why = () => '' } = {}) {
  const giveUpAt = performance.now() + giveUpMs
  for (;;) {
    const answer = await fetch(url, { headers, redirect: 'manual' }).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === status) return
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      throw new Error(`${url} does not answer ${status}:\n${why()}`)
    }
    await pause(5)
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
