import { newRequestId } from '../../lib/request-id.ts'
import type { VisitorPages } from '../../links/follow/follow.ts'
import type { Log } from '../../plugin.ts'
import { askPage, failedPage, methodNotAllowedPage, notFoundPage, refusedPage } from './pages.ts'
import type { PageSender } from './send-page.ts'

/** What following a link answers when there is no redirect, each with a request id of its own. */
export function createVisitorPages(sender: PageSender, log: Log): VisitorPages {
  return {
    notFound: headers => sender.readyPage(notFoundPage, headers),
    methodNotAllowed: (req, res, allow) =>
      sender.page(req, res, { ...methodNotAllowedPage, headers: { Allow: allow } }),
    stopped(req, res, outcome, pass = '') {
      const page = outcome.kind === 'ask' ? askPage(outcome, pass) : refusedPage(outcome)
      sender.page(req, res, page)
    },
    shown: sender.view,
    failed(req, res, error) {
      const requestId = newRequestId()
      log.error('A link could not be followed', { requestId, error })
      sender.page(req, res, failedPage, requestId)
    },
  }
}
