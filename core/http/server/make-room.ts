import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How often connections are looked at where they are short. */
const everyMs = 100
/** Of all connections, so many are left for clients that are new. */
const leftShare = 0.1
/** How long a client may send nothing that is whole where connections are short. A head comes in one piece, mostly. */
const headMs = 300
const bodyMs = 5_000

/** How far a connection is. */
interface Progress {
  /** The bytes that were sent to the client, with or without `node:http`. */
  written: number
  /** When it was opened, or last seen to have got some. */
  at: number
  /** The request that `node:http` has under way. */
  under?: IncomingMessage | undefined
}

/**
 * Ends connections when most of those that there may be are open: idle ones, silent ones, and such whose clients have sent
 * a part of a request for too long, the longest first. Without it, some thousand clients that send one byte each keep
 * everybody else out.
 */
export function makeRoom(http: Server, maxConnections: number): void {
  const open = new Map<Socket, Progress>()
  const most = Math.floor(maxConnections * (1 - leftShare))

  http.on('connection', socket => {
    open.set(socket, { written: 0, at: performance.now() })
    socket.once('close', () => open.delete(socket))
  })
  http.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const progress = open.get(req.socket)
    if (!progress) return
    progress.under = req
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
    const late: { readonly socket: Socket; readonly at: number }[] = []
    for (const [socket, progress] of open) {
      if (progress.written !== socket.bytesWritten) {
        progress.written = socket.bytesWritten
        progress.at = now
      }
      if (isLate(progress, now)) late.push({ socket, at: progress.at })
    }
    late.sort((a, b) => a.at - b.at)
    for (const { socket } of late.slice(0, open.size - most)) socket.destroy()
  }
}

/** Whether a connection waits for its client, and has done so for too long. */
function isLate({ under, at }: Progress, now: number): boolean {
  if (!under) return now - at >= headMs
  return !under.complete && now - at >= bodyMs
}
