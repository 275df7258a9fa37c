import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Readiness, ReadyAnswer } from '../../lib/ready-answer.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import { type ReadHead, readHeads } from './read-heads.ts'
import { readInto } from './read-into.ts'

export interface FastLaneParts {
  /** Returns the answer to a GET and notes the visit; undefined, with nothing done, if no answer is ready. */
  ready(head: RequestHead): Readiness
  /** What `node:http` adds to the head of each answer. */
  rest(): string
  /** Longer heads are left to `node:http`. */
  readonly maxBytes: number
}

/**
 * The state of a connection. `node:http` has each connection from its beginning, with all of its time limits.
 * The lane answers only where `node:http` waits for the next request, that is, on connections that it sees as
 * idle.
 *
 * - new: nothing has been sent; the first request is for `node:http`.
 * - asked: `node:http` has one whole request, and will answer it.
 * - idle: `node:http` has answered, and has seen nothing since.
 * - given: `node:http` has what may be half a request, or several, and keeps the connection.
 */
type Place = 'new' | 'asked' | 'idle' | 'given'

/** As much as the system delivers at once. */
const readBytes = 64 * 1024

/**
 * Answers requests past `node:http`, on their connections, if the answer is ready: `node:http` makes four
 * objects for a request, which takes as long as everything else. It gets everything else, byte for byte. Call
 * this once all other listeners for connections are added. Returns a function that leaves everything that is
 * not answered yet to `node:http`.
 */
export function openFastLane(http: Server, { ready, rest, maxBytes }: FastLaneParts): () => void {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const places = new WeakMap<Socket, Place>()
  /** The request on each connection whose answer is still being looked up. */
  const waiting = new Map<Socket, Buffer>()
  let isClosing = false
  const listeners = http.listeners('connection')
  http.removeAllListeners('connection')

  http.on('connection', (accepted: Socket) => {
    const socket = readInto(accepted, http, buffer, bytes =>
      take(socket, buffer.subarray(0, bytes)),
    )
    for (const listener of listeners) listener.call(http, socket)
    if (socket === accepted) return
    places.set(socket, 'new')
    // With a listener for data, `node:http` no longer reads by itself, and waits for these events too.
    socket.on('data', () => undefined)
  })

  http.on('request', ({ socket }, res) => {
    res.once('finish', () => {
      if (places.get(socket) === 'asked') places.set(socket, 'idle')
    })
  })

  function take(socket: Socket, bytes: Buffer): void {
    const before = waiting.get(socket)
    if (before) {
      handOver(socket, before, 'given')
      socket.emit('data', Buffer.from(bytes))
      return
    }
    const place = places.get(socket)
    const heads = place === 'new' || place === 'idle' ? readHeads(bytes, maxBytes) : []
    const isOurs = place === 'idle' && socket.writable && socket.writableLength === 0
    const { answered, last } = isOurs ? answerReady(socket, heads) : none
    const left = heads.length - answered
    if (left === 0 && answered > 0) return
    const rest = Buffer.from(bytes.subarray(heads[answered - 1]?.end))
    if (left === 1 && last && !isClosing) void answerLater(socket, rest, last)
    else handOver(socket, rest, left === 1 ? 'asked' : 'given')
  }

  /**
   * Answers one after another while answers are ready. Returns how many, and what the first other one is
   * waiting for.
   */
  function answerReady(socket: Socket, heads: readonly ReadHead[]): Answered {
    let answers = ''
    let answered = 0
    let last: Readiness
    for (const { url, rawHeaders } of heads) {
      last = unlessFailed(() => ready({ url, rawHeaders, socket }))
      if (last === undefined || last instanceof Promise) break
      answers += wire(last)
      answered += 1
    }
    if (answered > 0) socket.write(answers, 'latin1')
    return { answered, last: last instanceof Promise ? last.catch(() => undefined) : undefined }
  }

  /** Meanwhile `node:http` sees the connection as idle. More data, or a stop of the server, hands the request over. */
  async function answerLater(socket: Socket, request: Buffer, later: Later): Promise<void> {
    waiting.set(socket, request)
    const answerOf = await later
    if (waiting.get(socket) !== request) return
    const found = socket.writable ? unlessFailed(() => answerOf?.()) : undefined
    if (found === undefined) return handOver(socket, request, 'asked')
    waiting.delete(socket)
    socket.write(wire(found), 'latin1')
  }

  function handOver(socket: Socket, bytes: Buffer, place: Place): void {
    waiting.delete(socket)
    places.set(socket, place)
    socket.emit('data', bytes)
  }

  function wire({ head, body }: ReadyAnswer): string {
    return head + rest() + body
  }

  return () => {
    isClosing = true
    for (const [socket, request] of waiting) handOver(socket, request, 'asked')
  }
}

/** Never rejects. */
type Later = Promise<(() => ReadyAnswer | undefined) | undefined>

interface Answered {
  readonly answered: number
  readonly last: Later | undefined
}

const none: Answered = { answered: 0, last: undefined }

/** Work that fails here fails again where failures are logged and answered. */
function unlessFailed<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
