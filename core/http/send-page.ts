import type { IncomingMessage, ServerResponse } from 'node:http'
import { prefersJson } from './accepts.ts'
import { contentSecurityPolicy } from './page-style.ts'
import type { Page } from './pages.ts'
import { type Headers, refusalHeaders, send, sendProblem } from './send.ts'

const pageHeaders: Headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
}

/** What neither form of the answer may do: be kept, be found, tell others where the visitor was. */
const privateHeaders: Headers = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

/** Show a visitor a page, or a program that asks for JSON the same as a problem. */
export function sendPage(
  req: IncomingMessage,
  res: ServerResponse,
  { refusal, html, headers = {} }: Page,
  requestId: string,
): void {
  const always = { ...privateHeaders, ...headers, 'X-Request-Id': requestId, Vary: 'Accept' }
  if (prefersJson(req.headers.accept)) sendProblem(res, refusal, requestId, always)
  else send(res, refusal.status, { ...pageHeaders, ...refusalHeaders(refusal), ...always }, html)
}
