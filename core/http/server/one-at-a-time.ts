import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers a request. */
export type Answer = (req: IncomingMessage, res: ServerResponse) => void

/** How many requests may wait for those before them, on one connection and on all. One counts for each KiB of its head. */
export interface MostWaiting {
  readonly each: number
  readonly all: number
}

/**
 * Answers the requests of a connection one after another. A client may send many without waiting (RFC 9112,
 * section 9.3.2), and `node:http` would have all of them answered at once and keep the answers until it is their
 * turn. Whose request is one too many is cut off.
 */
export function oneAtATime(answer: Answer, most: MostWaiting, onCutOff: () => void): Answer {
  const waiting = new Map<Socket, number>()
  let all = 0

  function count(socket: Socket, more: number): void {
    waiting.set(socket, (waiting.get(socket) ?? 0) + more)
    all += more
  }

  function forget(socket: Socket): void {
    all -= waiting.get(socket) ?? 0
    waiting.delete(socket)
  }

  return (req, res) => {
    // A response has the connection once those before it are sent.
    if (res.socket) return answer(req, res)
    const { socket } = req
    // What was read at once goes on coming after the connection is cut off.
    if (socket.destroyed) return
    const before = waiting.get(socket)
    if (before === undefined) socket.once('close', () => forget(socket))
    const weight = weightOf(req)
    if ((before ?? 0) + weight > most.each || all + weight > most.all) {
      onCutOff()
      return void socket.destroy()
    }
    count(socket, weight)
    res.once('socket', () => {
      count(socket, -weight)
      // `node:http` is still handing the connection over.
      process.nextTick(answer, req, res)
    })
  }
}

function weightOf({ rawHeaders }: IncomingMessage): number {
  return 1 + Math.floor(rawHeaders.reduce((sum, text) => sum + text.length, 0) / 1024)
}
