import type { Socket } from 'node:net'

export interface HttpAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}

/** Returns a function that waits for the next answer on a connection; undefined if the connection ends before. */
export function readAnswers(socket: Socket): () => Promise<HttpAnswer | undefined> {
  let text = ''
  let tell: () => void = () => undefined
  socket.setEncoding('latin1').on('data', piece => {
    text += piece
    tell()
  })
  for (const event of ['end', 'close']) socket.once(event, () => tell())

  return async () => {
    for (;;) {
      const end = text.indexOf('\r\n\r\n')
      const head = text.slice(0, Math.max(end, 0))
      const bodyAt = end + 4
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
      if (end !== -1 && text.length >= bodyAt + length) {
        const body = text.slice(bodyAt, bodyAt + length)
        text = text.slice(bodyAt + length)
        const location = /^location: (.*)$/im.exec(head)?.[1]?.trim()
        return { status: Number(head.slice(9, 12)), location, body }
      }
      if (socket.closed || socket.readableEnded) return undefined
      await new Promise<void>(resolve => {
        tell = resolve
      })
    }
  }
}
