import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey, type Sharer, sharersOf } from '../../lib/net/client-key.ts'
import { comesFromProxy, type TrustedProxies } from '../request/client-address.ts'

/** How often connections are looked at where they are short. */
const everyMs = 100
/** Of all connections, so many are left for clients that are new. */
const leftShare = 0.1
/** How long a client may send nothing that is whole, or read nothing, where connections are short. A head comes in one piece, mostly. */
const stalledMs = 300
/** What comes of a body counts from so many bytes on: less than a packet is no piece but the last. */
const pieceBytes = 512
/** Of so many a new connection may take the place at once: looking at all of them for each would be what a flood wants. */
const fewOldest = 64
/** How long the body of a request may take then, however much comes. */
const bodyMs = 5_000

/** How far a connection is. */
interface Progress {
  /** The bytes that left for the client, with or without `node:http`. */
  sent: number
  /** The bytes that came from the client until then. */
  read: number
  /** When it was opened, or last seen to have got some bytes. */
  at: number
  /** When its client was last seen to have sent a piece. */
  readAt: number
  /** The request that `node:http` has under way. */
  under?: IncomingMessage | undefined
}

/** The oldest first. */
type Connected = Map<Socket, Progress>

/** The connections of a client, or of all clients in a network. */
interface Own extends Sharer {
  readonly connected: Connected
}

/**
 * Ends connections when most of those that there may be are open: idle ones, silent ones, and such whose clients have sent
 * a part of a request, or read nothing of an answer, for too long, the oldest first. Without it, some hundred clients that send one byte each keep
 * everybody else out.
 *
 * While half of the connections are free, nobody asks whose they are. Then a client gets one while it has no more of the
 * others than are free, as with slots: alone it gets three quarters of all, and its network seven eighths. Beyond that, their
 * own make room, or the new one is turned away.
 */
export function makeRoom(
  http: Server,
  { maxConnections, trustedProxies }: { maxConnections: number; trustedProxies: TrustedProxies },
  turnAway: (socket: Socket) => void,
): void {
  const open: Connected = new Map()
  /** Those that came while fewer than half were free. */
  const ofSharers = new Map<string, Connected>()
  const most = Math.floor(maxConnections * (1 - leftShare))
  const isFromProxy = comesFromProxy(trustedProxies)

  http.on('connection', socket => {
    const now = performance.now()
    const progress = { sent: 0, read: 0, at: now, readAt: now }
    open.set(socket, progress)
    socket.once('close', () => open.delete(socket))
    if (open.size <= maxConnections / 2) return
    const free = maxConnections - open.size
    const tooMany = join(socket, progress).find(
      ({ connected, shares }) => connected.size > shares * free,
    )
    if (tooMany && endLate(1, now, tooMany.connected, fewOldest) === 1) turnAway(socket)
    else if (open.size > most) endLate(1, now, open, fewOldest)
  })
  http.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const progress = open.get(req.socket)
    if (!progress) return
    progress.under = req
    progress.at = performance.now()
    progress.readAt = progress.at
    res.once('close', () => {
      if (progress.under !== req) return
      progress.under = undefined
      progress.at = performance.now()
    })
  })
  const looking = setInterval(look, everyMs).unref()
  http.once('close', () => clearInterval(looking))

  function look(): void {
    if (open.size <= most) return
    const now = performance.now()
    for (const [socket, progress] of open) note(socket, progress, now)
    endLate(open.size - most, now, open)
  }

  /** Ends so many of these, if that many are late; returns how many are left to end. */
  function endLate(count: number, now: number, of: Connected, among = of.size): number {
    let left = count
    let seen = 0
    for (const [socket, progress] of of) {
      if (left === 0 || seen === among) break
      seen += 1
      note(socket, progress, now)
      if (!isLate(socket, progress, now)) continue
      left -= 1
      of.delete(socket)
      open.delete(socket)
      socket.destroy()
    }
    return left
  }

  /**
   * Notes whose connection it is, and returns all of theirs. A proxy has connections of many clients, and a socket of the
   * system has no address.
   */
  function join(socket: Socket, progress: Progress): readonly Own[] {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isFromProxy({ socket })) return []
    const all = sharersOf(clientKey(remoteAddress)).map(sharer => {
      const connected: Connected = ofSharers.get(sharer.key) ?? new Map()
      ofSharers.set(sharer.key, connected.set(socket, progress))
      return { ...sharer, connected }
    })
    socket.once('close', () => {
      for (const { key, connected } of all) {
        connected.delete(socket)
        if (connected.size === 0 && ofSharers.get(key) === connected) ofSharers.delete(key)
      }
    })
    return all
  }
}

/** Notes what came and left since a connection was last looked at. */
function note(socket: Socket, progress: Progress, now: number): void {
  const sent = sentTo(socket)
  if (progress.sent !== sent) progress.at = now
  progress.sent = sent
  if (socket.bytesRead - progress.read < pieceBytes) return
  progress.readAt = now
  progress.read = socket.bytesRead
}

/** How many bytes the system has taken for a client; `bytesWritten` counts those, too, that wait until it takes them. */
function sentTo(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  const { bytesWritten = 0, writeQueueSize = 0 } = (handle ?? {}) as Partial<Record<string, number>>
  return bytesWritten - writeQueueSize
}

/** Whether a connection waits for its client, and has done so for too long. */
function isLate({ writableLength }: Socket, { under, at, readAt }: Progress, now: number): boolean {
  if (!under) return now - at >= stalledMs
  if (!under.complete) return now - readAt >= stalledMs || now - at >= bodyMs
  return writableLength > 0 && now - at >= stalledMs
}
