import type { Server } from 'node:http'
import { Socket } from 'node:net'

/**
 * Have a connection that was just accepted read into one buffer, from which `take` takes what came, so many bytes:
 * one made for each read takes longer than all that is done with it. Gives the socket that takes the place of the
 * accepted one; or that very one, which reads as ever, should `node:net` keep its connections elsewhere one day.
 *
 * Only sockets that programs open can ask for it (`onread`), so the handle of an accepted one becomes such a socket's.
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
  // Which is told when it closes.
  return Object.assign(socket, { _server: server })
}
