import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * One kept-alive connection that sends ready-made requests one at a time. It looks no closer at an answer
 * than at its status and its end, which comes with the headers: a redirect has no body. That is why it costs
 * the machine a fraction of a full HTTP client, and leaves the rest to the server that is measured; reading
 * into a buffer of its own instead of a stream saves some of it again.
 * `onAnswer` gets milliseconds and the status; `ended` rejects when the connection fails.
 */
export async function openConnection({ host, port }, onAnswer) {
  const buffer = Buffer.allocUnsafe(16_384)
  let sentAt = 0
  let received = ''
  const callback = bytes => {
    received += buffer.latin1Slice(0, bytes)
    if (!received.endsWith('\r\n\r\n')) return true
    const status = Number(received.slice(9, 12))
    received = ''
    onAnswer(performance.now() - sentAt, status)
    return true
  }
  const socket = connect({ host, port, noDelay: true, onread: { buffer, callback } })
  await once(socket, 'connect')
  return {
    send(request) {
      sentAt = performance.now()
      socket.write(request)
    },
    end: () => socket.end(),
    ended: once(socket, 'close'),
  }
}
