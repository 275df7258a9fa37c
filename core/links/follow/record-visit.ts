import type { RequestHead } from '../../lib/request-head.ts'
import type { Visit } from '../../plugin.ts'
import { openVisit, type RawVisit } from '../../visits/facts/open-visit.ts'
import type { CompiledLink } from './compile.ts'
import type { FollowDeps } from './follow-deps.ts'
import { readHeaders } from './read-headers.ts'

/** What a request says of a visit, to whatever it is. */
export interface ReadVisit extends Omit<RawVisit, 'link' | 'rest' | 'variants'> {
  /** Whether a browser only looks ahead. */
  readonly isPrefetch: boolean
}

/**
 * Hands a visit on to be counted, unless the link is not counted or a browser only looked ahead. It is read now, unless it was
 * before.
 */
export function recordVisit(
  deps: FollowDeps,
  req: RequestHead,
  link: CompiledLink,
  read?: ReadVisit,
  variants?: Visit['variants'],
): void {
  if (!isCounted(link)) return
  const visit = read
    ? { ...read, link: link.tracked, ...(variants && { variants }) }
    : readVisit(deps, req, link.tracked)
  if (!visit.isPrefetch) deps.record(visit, deps.isByOwner && askOwner)

  function askOwner(): Promise<boolean> | undefined {
    return deps.isByOwner?.(req, link.tracked.owner.accountId)
  }
}

/** Records the visits that plugins count. They are asked in the next turn, when the visitor has the response. */
export function recordUnlessLeftOut(
  record: (visit: RawVisit) => void,
  { counts }: FollowDeps['hooks'],
  placeOf: FollowDeps['placeOf'],
): FollowDeps['record'] {
  if (!counts) return record
  function recordIfCounted(visit: RawVisit, byOwner: boolean): void {
    const seen = Object.assign(openVisit(visit, placeOf), { byOwner })
    if (counts?.(Object.freeze(seen))) record(visit)
  }
  return (visit, askOwner) =>
    void setImmediate(() => {
      const asked = askOwner?.()
      if (asked) void asked.then(byOwner => recordIfCounted(visit, byOwner))
      else recordIfCounted(visit, false)
    })
}

/** Whether visits of this link are counted. */
export function isCounted({ tracked }: CompiledLink): boolean {
  return tracked.owner.collect.length > 0
}

/** Reads a visit, before anything is worked out from it. */
export function readVisit<Link>(
  deps: FollowDeps,
  req: RequestHead,
  link: Link,
): ReadVisit & { readonly link: Link } {
  const headers = readHeaders(req.rawHeaders)
  const { userAgent, referer, language, totalsOnly, isPrefetch } = headers
  const { url = '' } = req
  const mark = url.indexOf('?')
  return {
    link,
    at: deps.nowMs(),
    ip: deps.findClient(req.socket.remoteAddress, headers.forwardedFor),
    userAgent,
    referer,
    language,
    query: mark === -1 ? '' : url.slice(mark + 1),
    totalsOnly,
    isPrefetch,
  }
}
