import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems give their own connections ports from 32768 up: one of those may be gone a moment later. */
const [lowest, beyond] = [10_000, 32_768]
const maxTries = 50

/** A port on which nobody listens. Rejects when nothing can listen on the host. */
export async function findFreePort(host: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(lowest, beyond)
    try {
      await listenOnce(port, host)
      return port
    } catch (error) {
      if (!isTaken(error) || tries === maxTries) throw error
    }
  }
}

/** Why nothing can listen on the host, or on `ports` of it, as a sentence with the remedy. */
export function whyNotListening(error: unknown, host: string, ports: string): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const remedy = 'Set LINNET_HOST to an address of this machine, as 127.0.0.1, or 0.0.0.0 for all.'
  if (syscall === 'getaddrinfo') return `No address is known for the host ${host}. ${remedy}`
  if (code === 'EADDRNOTAVAIL') return `This machine does not have the address ${host}. ${remedy}`
  return `${ports} of ${host} cannot be used: ${message}. Set LINNET_PORT or LINNET_HOST differently.`
}

async function listenOnce(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
