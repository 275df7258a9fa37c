import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientKey } from '../../lib/net/client-key.ts'
import type { ReadyAnswer, RequestHead } from '../../lib/request-head.ts'
import { pathIn } from '../codes/read-path.ts'
import type { FollowDeps } from './follow-deps.ts'
import { followWithCare } from './follow-with-care.ts'
import { sendRedirect, setHeaders } from './ready-response.ts'
import { isCounted, readVisit, recordVisit } from './record-visit.ts'

/** Answers `GET /:code`. */
export interface Follower {
  (req: IncomingMessage, res: ServerResponse): void
  /**
   * Answers a GET of a plain link that was followed lately. Undefined, with nothing done, for everything else, or
   * if answering this fast could leave later visits uncounted.
   */
  ready(head: RequestHead): ReadyAnswer | undefined
}

/**
 * Following a plain link that was followed lately takes one look-up and one write; then the visit is handed on.
 * `followWithCare` does everything else.
 */
export function createFollow(deps: FollowDeps): Follower {
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
    deps.track(followSlowly(req, res)).catch(error => {
      if (!res.headersSent) setHeaders(res, headers)
      pages.failed(req, res, error)
    })
  }

  async function followSlowly(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const visit = readVisit(deps, req, undefined)
    const client = () => clientKey(visit.ip)
    if (req.method !== 'POST')
      return deps.slots(client, () => followWithCare(deps, req, res, visit, {}))
    // A body may take long to come, so that it takes no slot.
    const held = deps.bodies.begin(client())
    try {
      const answers = await deps.readForm(req, held)
      await deps.slots(client, () => followWithCare(deps, req, res, visit, answers))
    } finally {
      held.end()
    }
  }

  function ready(head: RequestHead): ReadyAnswer | undefined {
    const link = cache.get(pathIn(head))
    if (link?.redirect === undefined || (isCounted(link) && deps.isBehind())) return undefined
    recordVisit(deps, head, link)
    return link.redirect
  }

  return Object.assign(follow, { ready })
}
