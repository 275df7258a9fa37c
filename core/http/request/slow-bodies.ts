import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Connections whose request may take longer than others, since whoever reads its body watches how it comes. */
const slow = new WeakSet<Duplex>()

/** Lets the body of a request take its time, until the function that it returns is called. */
export function allowSlowly({ socket }: IncomingMessage): () => void {
  slow.add(socket)
  return () => slow.delete(socket)
}

/** Whether Node is wrong that a request took too long. */
export function mayTakeLonger({ code }: NodeJS.ErrnoException, socket: Duplex): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && slow.has(socket)
}
