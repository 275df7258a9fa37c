import { connect } from 'node:net'

/**
 * One kept-alive connection that sends ready-made requests one after another, each as soon as the one
 * before it is answered. It looks no closer at an answer than at its status and its end, which comes
 * with the headers: a redirect has no body. That is why it costs the machine a fraction of a full HTTP
 * client, and leaves the rest to the server that is measured.
 */
export function driveConnection({ host, port }, requests, first, takeNext, onAnswer) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let at = first
    let sentAt = 0
    let received = ''

    const send = () => {
      sentAt = performance.now()
      socket.write(requests[at % requests.length])
      at += 1
    }
    socket.on('connect', () => (takeNext() ? send() : socket.end()))
    socket.on('data', chunk => {
      received = received === '' ? chunk.latin1Slice() : received + chunk.latin1Slice()
      if (!received.endsWith('\r\n\r\n')) return
      onAnswer(performance.now() - sentAt, Number(received.slice(9, 12)))
      received = ''
      if (takeNext()) send()
      else socket.end()
    })
    socket.on('error', reject)
    socket.on('close', resolve)
  })
}
