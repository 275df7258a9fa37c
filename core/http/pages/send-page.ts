import type { IncomingMessage, ServerResponse } from 'node:http'
import { newRequestId } from '../../lib/request-id.ts'
import { setHeaders } from '../../links/follow/follow.ts'
import type { View } from '../../plugin/outcomes.ts'
import { prefersJson } from '../send/accepts.ts'
import { apiHeaders, type Headers, refusalHeaders, send, sendProblem } from '../send/send.ts'
import type { Look } from './look.ts'
import { type Page, render, viewSheet } from './pages.ts'
import { makeReady, type ReadyPage, sendReady } from './ready-page.ts'

/** Shows visitors pages that all look the same. */
export interface PageSender {
  /** How they look now. */
  look(): Look
  /** Show a visitor a page, or a program that asks for JSON the same as a problem. */
  page(req: IncomingMessage, res: ServerResponse, page: Page, requestId?: string): void
  /**
   * Makes the function that shows a page, with these raw headers besides, that is asked for often: what all
   * such answers have in common is worked out once a look.
   */
  readyPage(
    page: Page,
    headers: readonly string[],
  ): (req: IncomingMessage, res: ServerResponse) => void
  /** Show a visitor what a view says of a link, or a program that asks for JSON the same as data. */
  view(req: IncomingMessage, res: ServerResponse, view: View): void
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

  const headersOf = ({ refusal, headers = {} }: Page): Headers => ({
    ...pageHeaders(),
    ...refusalHeaders(refusal),
    ...privateHeaders,
    ...headers,
    Vary: 'Accept',
  })

  const sender: PageSender = {
    look,

    page(req, res, page, requestId = newRequestId()) {
      const { refusal, headers = {} } = page
      const id = { 'X-Request-Id': requestId }
      if (prefersJson(req.headers.accept)) {
        const always = { ...privateHeaders, ...headers, ...id, Vary: 'Accept' }
        sendProblem(res, refusal, requestId, always)
      } else {
        send(res, refusal.status, { ...headersOf(page), ...id }, render(page, look()))
      }
    },

    readyPage(page, headers) {
      const { status } = page.refusal
      let made: { readonly look: Look; readonly ready: ReadyPage } | undefined
      return (req, res) => {
        const requestId = newRequestId()
        if (made?.look !== look()) {
          const all = [...headers, ...Object.entries(headersOf(page)).flat()]
          made = { look: look(), ready: makeReady(status, all, render(page, look())) }
        }
        const isFit = !res.destroyed && !prefersJson(req.headers.accept)
        if (isFit && sendReady(res, made.ready, requestId)) return
        setHeaders(res, headers)
        sender.page(req, res, page, requestId)
      }
    },

    view(req, res, view) {
      const always = { ...apiHeaders(newRequestId()), ...privateHeaders, Vary: 'Accept' }
      if (prefersJson(req.headers.accept)) {
        const body = JSON.stringify({ data: view })
        send(res, 200, { ...always, 'Content-Type': 'application/json' }, body)
      } else {
        send(res, 200, { ...pageHeaders(), ...always }, render(viewSheet(view), look()))
      }
    },
  }
  return sender
}
