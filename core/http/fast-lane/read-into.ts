import type { Server } from 'node:http'
import { Socket } from 'node:net'

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
