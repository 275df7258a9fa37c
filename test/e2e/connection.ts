import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A bare connection that sends a text and stays open until the test ends. */
export async function connection(port: string | number, text: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1')
  // The server may close it at any time.
  socket.on('error', () => undefined).resume()
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  if (text !== '') await new Promise(resolve => socket.write(text, resolve))
  return socket
}
