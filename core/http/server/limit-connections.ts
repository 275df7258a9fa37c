import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../plugin.ts'
import type { TrustedProxies } from '../request/client-address.ts'
import { makeRoom } from './make-room.ts'

export interface ConnectionLimits {
  /** How many connections may be open. */
  readonly maxConnections: number
  /** How many bytes of answers may wait for clients to read them, of all connections together. */
  readonly maxUnsentBytes: number
  /** How long a client may read nothing of an answer. */
  readonly readMs: number
  /** Whose connections are those of many clients. */
  readonly trustedProxies: TrustedProxies
}

/** What became of clients that took more than there is. */
export interface ConnectionHealth {
  readonly open: number
  readonly most: number
  /** Connections that were refused because too many were open. */
  readonly turnedAway: number
  /** Connections that were cut off because their clients did not read, or sent too many requests ahead. */
  readonly cutOff: number
}

export interface Connections {
  health(): ConnectionHealth
  /** Counts and logs a connection that is cut off for this reason. */
  noteCutOff(why: string): void
  /** Cuts off clients that have not sent anything yet. */
  closeSilent(): void
}

/** The rest of a body that is longer is not read once its request is answered: dropping it would make as much garbage. */
const muchBytes = 256 * 1024

function hasMuchToCome({ complete, headers }: IncomingMessage): boolean {
  const isLong = headers['transfer-encoding'] ? true : Number(headers['content-length']) > muchBytes
  return !complete && isLong
}

/** Has an answer that comes before all of the body say that the connection ends. */
function sayIfUnread(req: IncomingMessage, res: ServerResponse): void {
  const { shouldKeepAlive } = res
  Object.defineProperty(res, 'shouldKeepAlive', {
    get: () => shouldKeepAlive && !hasMuchToCome(req),
    // What `node:http` makes of the headers of the answer counts for others.
    set: () => undefined,
  })
}

/** How long a client that still sends has to read its answer, which the system drops with the connection. */
const lingerMs = 1_000

/** Ends a connection without reading what its client still sends. */
function leaveUnread(req: IncomingMessage): void {
  const { socket } = req
  socket.end()
  // `node:http` reads on, to drop it, in the same turn.
  setImmediate(() => req.pause() && socket.pause())
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** How often unsent bytes are added up. */
const sweepMs = 100

/**
 * Keeps clients from taking all descriptors and all memory: there are only so many connections, of which those that wait
 * for their clients make room for new ones, and of which no client has all; and only so many unsent bytes, by connections that
 * are read.
 */
export function limitConnections(
  http: Server,
  { maxConnections, maxUnsentBytes, readMs, trustedProxies }: ConnectionLimits,
  log: Log,
): Connections {
  const opened = new Set<Socket>()
  let turnedAway = 0
  let cutOff = 0

  http.maxConnections = maxConnections
  http.timeout = readMs
  http.on('connection', socket => {
    opened.add(socket)
    socket.once('close', () => opened.delete(socket))
  })
  // Without this, `node:http` also cuts off clients whose answer takes us long. All others are idle.
  http.on('request', (req, res) => {
    // We speak no other protocol, and Node drops what comes in one piece with the head: later answers would be taken for its.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    if (hasMuchToCome(req)) sayIfUnread(req, res)
    res.on('timeout', dropUnlessOurs).on('finish', closeIfUnread)
  })
  http.on('drop', noteTurnedAway)
  makeRoom(http, { maxConnections, trustedProxies }, socket => {
    noteTurnedAway()
    socket.destroy()
  })
  // Before it listens, `listen` rejects with this.
  http.on('error', error => {
    if (http.listening) log.warn('A connection could not be accepted', { error })
  })
  const sweeping = setInterval(sweep, sweepMs).unref()
  http.once('close', () => clearInterval(sweeping))

  // Node counts a connection that has sent nothing yet as busy; browsers open such connections ahead of need.
  function closeSilent(): void {
    for (const socket of opened) if (socket.bytesRead === 0) socket.destroy()
  }

  function noteTurnedAway(): void {
    turnedAway += 1
    log.warn(
      'A connection was turned away because too many are open. Idle ones are closed to make room',
      { most: maxConnections },
    )
  }

  function dropUnlessOurs(socket: Socket): void {
    if (socket.writableLength > 0) drop(socket, 'did not read an answer')
  }

  function closeIfUnread(this: ServerResponse): void {
    if (hasMuchToCome(this.req)) leaveUnread(this.req)
  }

  function sweep(): void {
    let unsent = 0
    for (const socket of opened) unsent += socket.writableLength
    if (unsent <= maxUnsentBytes) return
    const longest = [...opened].sort((a, b) => b.writableLength - a.writableLength)
    for (const socket of longest) {
      if (unsent <= maxUnsentBytes) return
      unsent -= socket.writableLength
      drop(socket, 'had too much left to read')
    }
  }

  function drop(socket: Socket, why: string): void {
    noteCutOff(why)
    socket.destroy()
  }

  function noteCutOff(why: string): void {
    cutOff += 1
    log.warn(`A connection was cut off because its client ${why}`)
  }

  return {
    health: () => ({ open: opened.size, most: maxConnections, turnedAway, cutOff }),
    noteCutOff,
    closeSilent,
  }
}
