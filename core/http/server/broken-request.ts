import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import { problemOf } from '../send/problem.ts'

const malformed = refuse('malformed_request', 'This is not a valid HTTP request.', 400)

/** What Node calls the ways in which a request can break before it is one. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refuse('headers_too_large', 'The headers are too large.', 431),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('request_timeout', 'The request took too long to arrive.', 408),
}

/** Answer what never became a request, on the bare connection, and close it. */
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
