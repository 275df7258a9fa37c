import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import type { File } from '../../plugin.ts'
import { openVisit } from '../../visits/facts/open-visit.ts'
import { type Answers, checkGuards } from './check-guards.ts'
import type { CompiledLink } from './compile.ts'
import { findRoute, type Route } from './find-route.ts'
import type { FollowDeps } from './follow-deps.ts'
import { rawVisit, recordVisit } from './record-visit.ts'

/**
 * Answers a file of a plugin in place of the link, always the same one, so that nobody learns from it what protects the link. The
 * visit counts if the link would lead on; what is used up, such as one of ten visits, is left to those who follow it.
 */
export async function countOnly(
  deps: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  link: CompiledLink | Refusal,
  { type, content, status = 200, headers }: File,
): Promise<void> {
  const { method = '' } = req
  if (!['GET', 'HEAD'].includes(method)) return deps.pages.methodNotAllowed(req, res, 'GET, HEAD')
  const routed =
    method === 'GET' && !isRefusal(link) ? await routeIfOpen(deps, req, link) : undefined
  const fixed = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) }
  res.writeHead(status, { ...fileHeaders, ...headers, ...fixed }).end(content)
  if (routed && !isRefusal(link)) recordVisit(deps, req, link, routed.variants)
}

/** Where a link leads without anything being asked or used up; undefined if it does not lead on so. */
async function routeIfOpen(
  deps: FollowDeps,
  req: IncomingMessage,
  link: CompiledLink,
): Promise<Route | undefined> {
  if (link.redirect) return link
  if (link.steps.guards.length > 0 && deps.isCutOff()) return undefined
  const raw = rawVisit(deps, req, link.tracked)
  const { hooks, passes } = deps
  const open = (own: Answers) => openVisit(raw, deps.placeOf, own)
  const checked = await checkGuards(link, {}, { hooks, passes, openVisit: open })
  if ('outcome' in checked || checked.claims.length > 0) return undefined
  const routed = await findRoute(deps, link, raw)
  return isRefusal(routed) ? undefined : routed
}

/** Of a file that stands for a visit: each time it is fetched is one. */
const fileHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}
