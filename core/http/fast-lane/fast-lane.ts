import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestHead } from '../../lib/request-head.ts'
import { type ReadHead, readHeads } from './read-heads.ts'
import { readInto } from './read-into.ts'

export interface FastLaneParts {
  /** The whole answer to a GET, as it goes over the wire; undefined, and nothing done, where it is not ready. */
  answer(head: RequestHead): string | undefined
  /** Longer heads are not for it. */
  readonly maxBytes: number
}

/**
 * Where a connection is. `node:http` has each from its beginning, with all of its time limits: the lane answers only
 * where it waits for the next request, and so on connections that are idle to it.
 *
 * - new: nobody has said anything; the first request is for `node:http`.
 * - asked: `node:http` has one whole request, and will answer it.
 * - idle: it has answered, and has seen nothing since.
 * - given: it has what may be half a request, or several, and keeps the connection.
 */
type Place = 'new' | 'asked' | 'idle' | 'given'

/** As much as the system gives at once. */
const readBytes = 64 * 1024

/**
 * Answer on their connections, past `node:http`, what is ready: `node:http` makes four objects of a request, which
 * takes as long as everything else. It gets, byte for byte, what is anything else. To be called when everybody
 * who wants to know of connections listens.
 */
export function openFastLane(http: Server, { answer, maxBytes }: FastLaneParts): void {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const places = new WeakMap<Socket, Place>()
  const listeners = http.listeners('connection')
  http.removeAllListeners('connection')

  http.on('connection', (accepted: Socket) => {
    const socket = readInto(accepted, http, buffer, bytes =>
      take(socket, buffer.subarray(0, bytes)),
    )
    for (const listener of listeners) listener.call(http, socket)
    if (socket === accepted) return
    places.set(socket, 'new')
    // Where somebody listens to data, `node:http` no longer reads by itself, and waits for it too.
    socket.on('data', () => undefined)
  })

  http.on('request', ({ socket }, res) => {
    res.once('finish', () => {
      if (places.get(socket) === 'asked') places.set(socket, 'idle')
    })
  })

  function take(socket: Socket, bytes: Buffer): void {
    const place = places.get(socket)
    const heads = place === 'new' || place === 'idle' ? readHeads(bytes, maxBytes) : []
    const isOurs = place === 'idle' && socket.writable && socket.writableLength === 0
    const answered = isOurs ? answerReady(socket, heads) : 0
    const left = heads.length - answered
    if (left === 0 && answered > 0) return
    places.set(socket, left === 1 ? 'asked' : 'given')
    socket.emit('data', Buffer.from(bytes.subarray(heads[answered - 1]?.end)))
  }

  /** One after another as long as they are ready; gives how many. */
  function answerReady(socket: Socket, heads: readonly ReadHead[]): number {
    let answers = ''
    let answered = 0
    for (const head of heads) {
      const ready = answerOne(socket, head)
      if (ready === undefined) break
      answers += ready
      answered += 1
    }
    if (answered > 0) socket.write(answers, 'latin1')
    return answered
  }

  function answerOne(socket: Socket, { url, rawHeaders }: ReadHead): string | undefined {
    try {
      return answer({ url, rawHeaders, socket })
    } catch {
      // It fails again where failures are logged and answered.
      return undefined
    }
  }
}
