import type { IncomingMessage, ServerResponse } from 'node:http'
import type { VisitorPages } from '../../links/follow/follow.ts'
import type { Log } from '../../plugin.ts'
import {
  askPage,
  failedPage,
  methodNotAllowedPage,
  notFoundPage,
  type Page,
  refusedPage,
} from './pages.ts'
import type { PageSender } from './send-page.ts'

/** What following a link answers when there is no redirect, each with a request id of its own. */
export function createVisitorPages(
  sender: PageSender,
  newRequestId: () => string,
  log: Log,
): VisitorPages {
  const show =
    (page: Page) =>
    (req: IncomingMessage, res: ServerResponse): void =>
      sender.page(req, res, page, newRequestId())

  return {
    notFound(headers) {
      const answer = sender.readyPage(notFoundPage, headers)
      return (req, res) => answer(req, res, newRequestId())
    },
    methodNotAllowed: (req, res, allow) =>
      show({ ...methodNotAllowedPage, headers: { Allow: allow } })(req, res),
    stopped: (req, res, outcome, pass = '') =>
      show(outcome.kind === 'ask' ? askPage(outcome, pass) : refusedPage(outcome))(req, res),
    shown: (req, res, view) => sender.view(req, res, view, newRequestId()),
    failed(req, res, error) {
      const requestId = newRequestId()
      log.error('A link could not be followed', { requestId, error })
      sender.page(req, res, failedPage, requestId)
    },
  }
}
