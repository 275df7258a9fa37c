import type { IncomingMessage, ServerResponse } from 'node:http'
import type { View } from '../outcomes.ts'
import { prefersJson } from './accepts.ts'
import { contentSecurityPolicy } from './page-style.ts'
import { type Page, viewPage } from './pages.ts'
import { apiHeaders, type Headers, refusalHeaders, send, sendProblem } from './send.ts'

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

/** Show a visitor what a view says of a link, or a program that asks for JSON the same as data. */
export function sendView(
  req: IncomingMessage,
  res: ServerResponse,
  view: View,
  requestId: string,
): void {
  const always = { ...apiHeaders(requestId), ...privateHeaders, Vary: 'Accept' }
  if (prefersJson(req.headers.accept)) {
    const body = JSON.stringify({ data: view })
    send(res, 200, { ...always, 'Content-Type': 'application/json' }, body)
  } else {
    send(res, 200, { ...pageHeaders, ...always }, viewPage(view))
  }
}
