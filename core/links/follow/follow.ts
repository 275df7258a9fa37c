import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readiness, ReadyAnswer } from '../../lib/ready-answer.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { CompiledLink } from './compile.ts'
import type { FollowDeps } from './follow-deps.ts'
import { followWithCare } from './follow-with-care.ts'
import { loadLink } from './load-link.ts'
import { readPath } from './read-path.ts'
import { sendRedirect, setHeaders } from './ready-response.ts'
import { isCounted, recordVisit } from './record-visit.ts'

/** Answers `GET /:code`. */
export interface Follow {
  (req: IncomingMessage, res: ServerResponse): void
  /**
   * Answers a GET of a plain link, or of a code that has no link. Undefined, with nothing done, for any other
   * link, or if answering this fast could leave later visits uncounted. A link that was not followed lately is
   * looked up first.
   */
  ready(head: RequestHead): Readiness
}

/**
 * Following a plain link that was followed lately takes one look-up and one write; then the visit is handed on.
 * `followWithCare` does everything else.
 */
export function createFollow(deps: FollowDeps): Follow {
  const { cache, headers, pages } = deps

  function follow(req: IncomingMessage, res: ServerResponse): void {
    const path = pathIn(req)
    const link = req.method === 'GET' ? cache.get(path) : undefined
    if (link?.redirect !== undefined) {
      // Sent before the visit is read, so that nobody waits for that.
      sendRedirect(res, link.redirect)
      recordVisit(deps, req, link)
      return
    }
    deps.track(followWithCare(deps, req, res, path)).catch(error => {
      if (!res.headersSent) setHeaders(res, headers)
      pages.failed(req, res, error)
    })
  }

  function ready(head: RequestHead): Readiness {
    const path = pathIn(head)
    const link = cache.get(path)
    if (link) return readyIn(head, link)
    const { code, suffix } = readPath(path) ?? {}
    return code === undefined || suffix !== undefined ? undefined : deps.track(find(head, code))
  }

  async function find(head: RequestHead, code: string) {
    const link = await loadLink(deps, code)
    if (!link) return () => deps.notFound.ready?.(head)
    return () => (isRefusal(link) ? undefined : readyIn(head, link))
  }

  function readyIn(head: RequestHead, link: CompiledLink): ReadyAnswer | undefined {
    if (link.redirect === undefined || (isCounted(link) && deps.isBehind())) return undefined
    recordVisit(deps, head, link)
    return link.redirect
  }

  return Object.assign(follow, { ready })
}

/** The path without its slash and its query. */
function pathIn({ url = '/' }: RequestHead): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url.slice(1) : url.slice(1, mark)
}
