import type { Server } from 'node:http'
import { Socket } from 'node:net'
import { noteBuffer } from '../../lib/memory/collect-garbage.ts'
import type { ReadyAnswer, RequestHead } from '../../lib/request-head.ts'
import { type ReadHead, readHeads } from './read-heads.ts'

export interface FastLaneParts {
  /**
   * Returns the answer to a GET and notes the visit; undefined, with nothing done, if no answer is ready. Without it,
   * `node:http` answers everything, and is still handed over no more than it can take.
   */
  readonly ready: ((head: RequestHead) => ReadyAnswer | undefined) | undefined
  /** Called for a client that has to be cut off because it sends many requests and reads no answers. */
  cutOff(socket: Socket): void
  /** The last headers of each answer, as `node:http` adds them. */
  tail(): string
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
type SocketState = 'new' | 'asked' | 'idle' | 'given'

/** As much of a body may be in memory for each connection before anybody reads it. */
const readBytes = 16 * 1024
/** Answers are written together up to this length. */
const answerCharacters = 64 * 1024
/**
 * How many requests `node:http` gets at a time: it makes objects for all that it gets, also once the client is cut off.
 * One read may have thousands.
 */
const handedOver = 16

/**
 * Answers requests past `node:http`, on their connections, if the answer is ready: `node:http` makes four
 * objects for a request, which takes as long as everything else. It gets everything else, byte for byte.
 *
 * What was read is answered or handed over before the next read, so nothing is ever kept: a connection that is
 * gone meanwhile may be another client's by then. Call this once all other listeners for connections are added.
 */
export function openFastLane(http: Server, { ready, tail, maxBytes, cutOff }: FastLaneParts): void {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const states = new WeakMap<Socket, SocketState>()
  const listeners = http.listeners('connection')
  http.removeAllListeners('connection')

  http.on('connection', (accepted: Socket) => {
    const socket = readInto(accepted, http, buffer, bytes =>
      take(socket, buffer.subarray(0, bytes)),
    )
    for (const listener of listeners) listener.call(http, socket)
    if (socket === accepted) return
    states.set(socket, 'new')
    // With a listener for data, `node:http` no longer reads by itself, and waits for these events too.
    socket.on('data', () => undefined)
  })

  http.on('request', ({ socket }, res) => {
    res.once('finish', () => {
      if (states.get(socket) === 'asked') states.set(socket, 'idle')
    })
  })

  function take(socket: Socket, bytes: Buffer): void {
    const state = states.get(socket)
    const mayBeReady = ready && (state === 'new' || state === 'idle')
    const heads = mayBeReady ? readHeads(bytes, maxBytes) : []
    const isOurs = state === 'idle' && socket.writable && socket.writableLength === 0
    const answered = isOurs ? answerReady(socket, heads) : 0
    const left = heads.length - answered
    if (left === 0 && answered > 0) return
    states.set(socket, left === 1 ? 'asked' : 'given')
    handOver(socket, bytes.subarray(heads[answered - 1]?.end))
  }

  /** What is left of a client that was cut off for the beginning is dropped. */
  function handOver(socket: Socket, bytes: Buffer): void {
    let from = 0
    while (from < bytes.length) {
      // `node:http` takes no more from a client that does not read. It expects the rest of what was read at once, though.
      if (socket.isPaused()) cutOff(socket)
      if (socket.destroyed) return
      const end = endOfHeads(bytes, from, handedOver)
      noteBuffer(end - from)
      socket.emit('data', Buffer.from(bytes.subarray(from, end)))
      from = end
    }
  }

  /** Answers one after another while answers are ready, and the client reads them; returns how many. */
  function answerReady(socket: Socket, heads: readonly ReadHead[]): number {
    let answers = ''
    let answered = 0
    for (const { url, rawHeaders } of heads) {
      const answer = unlessFailed(() => ready?.({ url, rawHeaders, socket }))
      if (answer === undefined) break
      answers += answer.head + tail()
      answered += 1
      if (answers.length < answerCharacters) continue
      socket.write(answers, 'latin1')
      answers = ''
      if (socket.writableLength > 0) break
    }
    if (answers !== '') socket.write(answers, 'latin1')
    return answered
  }
}

/** The position after so many heads, or the end of the bytes. */
function endOfHeads(bytes: Buffer, from: number, heads: number): number {
  let end = from
  for (let head = 0; head < heads; head += 1) {
    const at = bytes.indexOf('\r\n\r\n', end, 'latin1')
    if (at === -1) return bytes.length
    end = at + 4
  }
  return end
}

/** Work that fails here fails again where failures are logged and answered. */
function unlessFailed<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * Has a connection that was just accepted read into one buffer, from which `take` takes the given number of
 * bytes: making a buffer for each read takes longer than everything that is done with it. Returns the socket
 * that replaces the accepted one. Should `node:net` keep its connections elsewhere one day, it returns the
 * accepted one, which reads as usual.
 *
 * Only sockets that programs open can ask for this (`onread`), so the handle of the accepted socket is given to
 * such a socket.
 */
export function readInto(
  accepted: Socket,
  server: Server,
  buffer: Uint8Array,
  take: (bytes: number) => void,
): Socket {
  const handle: unknown = Reflect.get(accepted, '_handle')
  const callback = (bytes: number) => {
    take(bytes)
    return true
  }
  const options = { handle, allowHalfOpen: accepted.allowHalfOpen, onread: { buffer, callback } }
  if (!handle || Reflect.get(accepted, '_server') !== server) return accepted
  const socket = new Socket(options)
  if (Reflect.get(socket, '_handle') !== handle) return accepted
  // The server is told when the socket closes.
  return Object.assign(socket, { _server: server })
}
