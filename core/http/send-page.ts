import type { IncomingMessage, ServerResponse } from 'node:http'
import type { View } from '../outcomes.ts'
import { prefersJson } from './accepts.ts'
import type { Look } from './look.ts'
import { type Page, render, viewSheet } from './pages.ts'
import { apiHeaders, type Headers, refusalHeaders, send, sendProblem } from './send.ts'

/** Shows visitors pages that all look the same. */
export interface PageSender {
  /** How they look now. */
  look(): Look
  /** Show a visitor a page, or a program that asks for JSON the same as a problem. */
  page(req: IncomingMessage, res: ServerResponse, page: Page, requestId: string): void
  /** Show a visitor what a view says of a link, or a program that asks for JSON the same as data. */
  view(req: IncomingMessage, res: ServerResponse, view: View, requestId: string): void
}

/** What neither form of the answer may do: be kept, be found, tell others where the visitor was. */
const privateHeaders: Headers = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

/** Pages that look as `look` says when they are sent. */
export function createPageSender(look: () => Look): PageSender {
  const pageHeaders = (): Headers => ({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': look().contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
  })

  return {
    look,

    page(req, res, page, requestId) {
      const { refusal, headers = {} } = page
      const always = { ...privateHeaders, ...headers, 'X-Request-Id': requestId, Vary: 'Accept' }
      if (prefersJson(req.headers.accept)) return sendProblem(res, refusal, requestId, always)
      const all = { ...pageHeaders(), ...refusalHeaders(refusal), ...always }
      send(res, refusal.status, all, render(page, look()))
    },

    view(req, res, view, requestId) {
      const always = { ...apiHeaders(requestId), ...privateHeaders, Vary: 'Accept' }
      if (prefersJson(req.headers.accept)) {
        const body = JSON.stringify({ data: view })
        send(res, 200, { ...always, 'Content-Type': 'application/json' }, body)
      } else {
        send(res, 200, { ...pageHeaders(), ...always }, render(viewSheet(view), look()))
      }
    },
  }
}
