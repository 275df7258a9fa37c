import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { isNamed, mostHeaders } from '../../lib/request-head.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import { isHostText } from '../request/requested-host.ts'
import { problemOf } from '../send/problem.ts'

const noHost = refuse('malformed_request', 'An HTTP/1.1 request needs a Host header.', 400)
const twoHosts = refuse('malformed_request', 'A request must have only one Host header.', 400)
const badHost = refuse('malformed_request', 'The host of this request is not valid.', 400)
const badTarget = refuse('malformed_request', 'This request target is not valid.', 400)
const tooManyHeaders = refuse(
  'headers_too_large',
  `A request may have at most ${mostHeaders} headers.`,
  431,
)

/** `http://host/path`, without user or fragment. */
const absoluteForm = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i

/**
 * Refuses a head that cannot be answered, and brings its target into the form `/path`: RFC 9112, section 3.2. If the
 * target has a host in it, the request is for that host, whatever `Host` says.
 */
export function checkHead(req: IncomingMessage): Refusal | undefined {
  if (req.rawHeaders.length > 2 * mostHeaders) return tooManyHeaders
  const [sent, another] = hostsIn(req)
  // Programs that read the first one and programs that read the last would not mean the same host.
  if (another !== undefined) return twoHosts
  if (sent === undefined && req.httpVersion !== '1.0') return noHost
  if (sent !== undefined && !isHostText(sent)) return badHost
  const { url = '/' } = req
  if (url.charCodeAt(0) === slash || isForServer(req)) return undefined
  const [, host, path = '/'] = absoluteForm.exec(url) ?? []
  if (host === undefined || !isHostText(host)) return badTarget
  req.url = path.startsWith('/') ? path : `/${path}`
  setHost(req, host)
  return undefined
}

/** `OPTIONS *` asks about the server, and no address: RFC 9110, section 9.3.7. */
export function isForServer({ method, url }: IncomingMessage): boolean {
  return method === 'OPTIONS' && url === '*'
}

const slash = '/'.charCodeAt(0)

/** Raw headers are read, because `req.headers` would parse all of them. */
function hostsIn({ rawHeaders }: IncomingMessage): readonly string[] {
  const hosts: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (isNamed(rawHeaders[index], 'host')) hosts.push(rawHeaders[index + 1] ?? '')
  return hosts
}

function setHost(req: IncomingMessage, host: string): void {
  const others = req.rawHeaders.filter(
    (_, index, all) => !isNamed(all[index - (index % 2)], 'host'),
  )
  req.rawHeaders = ['Host', host, ...others]
  req.headers.host = host
}

const malformed = refuse('malformed_request', 'This is not a valid HTTP request.', 400)

/** Node's codes for requests that break before they are complete. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refuse('headers_too_large', 'The headers are too large.', 431),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('request_timeout', 'The request took too long to arrive.', 408),
}

/** Answer a request that could not be read, on the bare connection, and close that. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refusals[error.code ?? ''] ?? malformed
  const body = JSON.stringify(problemOf(refusal, requestId))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
