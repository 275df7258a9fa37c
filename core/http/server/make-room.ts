import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How often connections are looked at where they are short. */
const everyMs = 100
/** Of all connections, so many are left for clients that are new. */
const leftShare = 0.1
/** How long a client may send nothing that is whole, or read nothing, where connections are short. A head comes in one piece, mostly. */
const stalledMs = 300
/** Of so many a new connection may take the place at once: looking at all of them for each would be what a flood wants. */
const fewOldest = 64
/** How long the body of a request may take then, however much comes. */
const bodyMs = 5_000

/** How far a connection is. */
interface Progress {
  /** The bytes that left for the client, with or without `node:http`. */
  sent: number
  /** The bytes that came from the client. */
  read: number
  /** When it was opened, or last seen to have got some bytes. */
  at: number
  /** When its client was last seen to have sent some. */
  readAt: number
  /** The request that `node:http` has under way. */
  under?: IncomingMessage | undefined
}

/**
 * Ends connections when most of those that there may be are open: idle ones, silent ones, and such whose clients have sent
 * a part of a request, or read nothing of an answer, for too long, the oldest first. Without it, some hundred clients that send one byte each keep
 * everybody else out.
 */
export function makeRoom(http: Server, maxConnections: number): void {
  /** The oldest first. */
  const open = new Map<Socket, Progress>()
  const most = Math.floor(maxConnections * (1 - leftShare))

  http.on('connection', socket => {
    const now = performance.now()
    open.set(socket, { sent: 0, read: 0, at: now, readAt: now })
    socket.once('close', () => open.delete(socket))
    if (open.size > most) endLate(1, now, fewOldest)
  })
  http.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const progress = open.get(req.socket)
    if (!progress) return
    progress.under = req
    progress.at = performance.now()
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
    endLate(open.size - most, now)
  }

  function endLate(count: number, now: number, among = open.size): void {
    let left = count
    let seen = 0
    for (const [socket, progress] of open) {
      if (left === 0 || seen === among) return
      seen += 1
      note(socket, progress, now)
      if (!isLate(socket, progress, now)) continue
      left -= 1
      open.delete(socket)
      socket.destroy()
    }
  }
}

/** Notes what came and left since a connection was last looked at. */
function note(socket: Socket, progress: Progress, now: number): void {
  const sent = sentTo(socket)
  if (progress.sent !== sent) progress.at = now
  if (progress.read !== socket.bytesRead) progress.readAt = now
  progress.sent = sent
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
