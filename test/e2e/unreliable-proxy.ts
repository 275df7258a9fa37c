import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a proxy does to a request. */
export type Trouble =
  | 'none'
  /** 503 without a word of ours, as while a server restarts. */
  | 'unavailable'
  /** 429 as Linnet says it. */
  | 'limited'
  /** The connection breaks before the server has the request, while it works, after its answer, and within that. */
  | 'lost-before'
  | 'lost-meanwhile'
  | 'lost-after'
  | 'cut'
  /** The answer does not come. */
  | 'silent'

const troubles: readonly Trouble[] = [
  ...(['unavailable', 'limited', 'lost-before', 'lost-meanwhile', 'lost-after', 'cut'] as const),
  'silent',
]

const limited = JSON.stringify({
  type: 'urn:linnet:problem:rate_limited',
  title: 'Rate limited',
  status: 429,
  detail: 'Too many requests.',
  code: 'rate_limited',
  requestId: 'req',
  errors: [],
})

/** A proxy in which every third request meets trouble, each time another. */
export function troubledProxy(server: { readonly url: string }): Promise<string> {
  const troubleOf = (count: number) => troubles[Math.floor(count / 3) % troubles.length] ?? 'none'
  return unreliableProxy(
    () => server.url,
    count => (count % 3 === 1 ? troubleOf(count) : 'none'),
  )
}

/** A proxy before a server, which does to each request what `troubleOf` says; counts them from 0. */
export async function unreliableProxy(
  target: () => string,
  troubleOf: (count: number) => Trouble,
): Promise<string> {
  let count = 0
  const proxy = createServer((incoming, answer) => {
    const trouble = troubleOf(count)
    count += 1
    if (trouble === 'unavailable') {
      answer.writeHead(503, { 'retry-after': '0' }).end('<h1>Down</h1>')
    } else if (trouble === 'limited') {
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '0' }
      answer.writeHead(429, headers).end(limited)
    } else if (trouble === 'lost-before') incoming.socket.destroy()
    else passOn(target(), incoming, answer, trouble)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

function passOn(
  to: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  trouble: Trouble,
): void {
  const { method, url, headers } = incoming
  const outgoing = request(to + url, { method, headers, agent: false }, async response => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (trouble === 'silent') return
    if (trouble === 'lost-after') {
      incoming.socket.destroy()
      return
    }
    answer.writeHead(response.statusCode ?? 0, response.headers)
    if (trouble === 'cut') {
      answer.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy())
    } else answer.end(body)
  })
  // The server may be down.
  outgoing.on('error', () => incoming.socket.destroy())
  outgoing.on('finish', () => {
    if (trouble === 'lost-meanwhile') incoming.socket.destroy()
  })
  incoming.pipe(outgoing)
}
