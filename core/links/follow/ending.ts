import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outcome } from '../../plugin/outcomes.ts'
import type { File, Routed } from '../../plugin.ts'
import { notAllowed } from './compile.ts'
import type { Route } from './find-route.ts'
import type { FollowDeps } from './follow-deps.ts'
import { otherHeaders, redirectHeaders } from './redirect.ts'

/** How following ends. The visit counts if there is a `route`. */
export type Ending =
  /** What Linnet or a plugin says, or where it sends the visitor instead; `pass` is for the form of a question. */
  | (Outcome & { readonly pass?: string })
  | { readonly kind: 'method'; readonly allow: string }
  /** A redirect that does not say where: who learned it here would not need the visit that a claim takes. */
  | { readonly kind: 'untold' }
  | { readonly kind: 'file'; readonly file: File; readonly route?: Route }
  | { readonly kind: 'on'; readonly route: Route }

/** Sends a visitor what following ended with. */
export function sendEnding(
  deps: Pick<FollowDeps, 'pages' | 'mayLeadTo'>,
  req: IncomingMessage,
  res: ServerResponse,
  ending: Ending,
): void {
  const { pages, mayLeadTo } = deps
  const next = ending.kind === 'page' ? ending.link : ending.kind === 'redirect' && ending
  if (next && !mayLeadTo(next.url)) pages.stopped(req, res, notAllowed)
  else if (ending.kind === 'page') pages.shown(req, res, ending)
  else if (ending.kind === 'redirect') sendTo(req, res, ending)
  else if (ending.kind === 'method') pages.methodNotAllowed(req, res, ending.allow)
  else if (ending.kind === 'untold') res.writeHead(302, [...otherHeaders]).end()
  else if (ending.kind === 'file') sendFile(res, ending.file)
  else if (ending.kind !== 'on') pages.stopped(req, res, ending, ending.pass)
  else if (ending.route.shown) sendEnding(deps, req, res, ending.route.shown)
  else sendTo(req, res, ending.route)
}

/** 303 turns the form's POST into a GET of the address, whatever else is wanted: RFC 9110, section 15.4.4. */
function sendTo(
  { method }: IncomingMessage,
  res: ServerResponse,
  { url, status = 302, headers }: Pick<Routed, 'url' | 'status' | 'headers'>,
): void {
  res.writeHead(method === 'POST' ? 303 : status, redirectHeaders(url, headers)).end()
}

/** Each time such a file is fetched is a visit, so that it is never cached. */
function sendFile(res: ServerResponse, { type, content, status = 200, headers }: File): void {
  const fixed = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) }
  res.writeHead(status, { ...fileHeaders, ...headers, ...fixed }).end(content)
}

const fileHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}
