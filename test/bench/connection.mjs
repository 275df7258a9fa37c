import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * One kept-alive connection that sends prepared requests one at a time. Of an answer it reads only the status
 * and finds the end, by `Content-Length`. It therefore costs a fraction of a full HTTP client, which leaves the
 * rest of the machine to the server being measured; reading into a buffer of its own instead of a stream saves
 * a little more. `onAnswer` receives milliseconds and the status; `ended` rejects if the connection fails.
 */
export async function openConnection({ host, port }, onAnswer) {
  const buffer = Buffer.allocUnsafe(65_536)
  let sentAt = 0
  let received = ''
  const callback = bytes => {
    received += buffer.latin1Slice(0, bytes)
    if (!isWhole(received)) return true
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
      socket.write(request, 'latin1')
    },
    end: () => socket.end(),
    ended: once(socket, 'close'),
  }
}

/** Most answers have no body, so they end with their headers. */
function isWhole(answer) {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0
  return answer.length >= end + 4 + Number(length)
}
