import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readiness, ReadyAnswer } from '../../lib/ready-answer.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import {
  type Ask,
  isRefusal,
  type Outcome,
  type Refusal,
  refuse,
  type View,
} from '../../plugin/outcomes.ts'
import type { Visit } from '../../plugin.ts'
import type { FoundLink } from '../../storage/database.ts'
import { type Owner, openVisit, type RawVisit } from '../../visits/facts/open-visit.ts'
import type { PlaceOf } from '../../visits/facts/place.ts'
import type { LinkHooks, NamedStep, ShowLink } from '../hooks.ts'
import type { CodeCache } from './cache.ts'
import { checkGuards } from './check-guards.ts'
import { type CompiledLink, closedLink, compileLink } from './compile.ts'
import type { PassKeeper } from './pass.ts'
import { readHeaders } from './read-headers.ts'
import { readPath } from './read-path.ts'
import { sendRedirect } from './ready-response.ts'
import { otherHeaders, redirectHeaders } from './redirect.ts'

/** What following links on one host needs from the rest of the program. */
export interface FollowDeps {
  readonly cache: CodeCache
  /** Raw headers of every answer on this host; the redirect of a plain link already contains them. */
  readonly headers: readonly string[]
  /** The link behind a code on this host. */
  findLink(code: string): Promise<FoundLink | undefined>
  readonly hooks: LinkHooks
  readonly passes: PassKeeper
  readonly pages: VisitorPages
  /** Answers where there is no link, with these headers. */
  readonly notFound: NotFound
  ownerOf(accountId: number, plan: string): Owner
  /** Tracks each visit that is not answered at once, until it is. */
  track<T>(work: Promise<T>): Promise<T>
  /** Count a visit, later. */
  record(visit: RawVisit): void
  /** Whether visits come faster than they can be counted. */
  isBehind(): boolean
  /** Whether news of what others change does not reach us. */
  isCutOff(): boolean
  findClient(socket: string | undefined, forwardedFor: string): string
  readonly placeOf: PlaceOf
  readForm(req: IncomingMessage): Promise<Readonly<Record<string, string>> | Refusal>
  /** Milliseconds since 1970 UTC. */
  nowMs(): number
}

/** Answers where there is no link. */
export interface NotFound {
  (req: IncomingMessage, res: ServerResponse): void
  /** The same answer to a GET, if it is ready. */
  ready?(head: RequestHead): ReadyAnswer | undefined
}

/** The few pages that a visitor sees when there is no redirect. */
export interface VisitorPages {
  /** Prepares the answer where there is no link, with these raw headers. */
  notFound(headers: readonly string[]): NotFound
  methodNotAllowed(req: IncomingMessage, res: ServerResponse, allow: string): void
  stopped(req: IncomingMessage, res: ServerResponse, why: Refusal | Ask, pass?: string): void
  shown(req: IncomingMessage, res: ServerResponse, view: View): void
  failed(req: IncomingMessage, res: ServerResponse, error: unknown): void
}

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

  function ready(head: RequestHead): Readiness {
    const path = pathIn(head)
    const link = cache.get(path)
    if (link) return readyIn(head, link)
    const { code, suffix } = readPath(path) ?? {}
    return code === undefined || suffix !== undefined ? undefined : deps.track(find(head, code))
  }

  async function find(head: RequestHead, code: string) {
    const link = await load(deps, code)
    if (!link) return () => deps.notFound.ready?.(head)
    return () => (isRefusal(link) ? undefined : readyIn(head, link))
  }

  function readyIn(head: RequestHead, link: CompiledLink): ReadyAnswer | undefined {
    if (link.redirect === undefined || (isCounted(link) && deps.isBehind())) return undefined
    record(deps, head, link)
    return link.redirect
  }

  function follow(req: IncomingMessage, res: ServerResponse): void {
    const path = pathIn(req)
    const link = req.method === 'GET' ? cache.get(path) : undefined
    if (link?.redirect !== undefined) {
      // Sent before the visit is read, so that nobody waits for that.
      sendRedirect(res, link.redirect)
      record(deps, req, link)
      return
    }
    deps.track(followWithCare(deps, req, res, path)).catch(error => {
      if (!res.headersSent) setHeaders(res, headers)
      pages.failed(req, res, error)
    })
  }

  return Object.assign(follow, { ready })
}

/** The path without its slash and its query. */
function pathIn({ url = '/' }: RequestHead): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url.slice(1) : url.slice(1, mark)
}

async function followWithCare(
  deps: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const { cache, hooks, pages } = deps
  const { code, suffix } = readPath(path) ?? {}
  const view = suffix === undefined ? undefined : hooks.findView(suffix)
  if (code === undefined || (suffix !== undefined && !view)) return deps.notFound(req, res)
  const link = cache.get(code) ?? (await load(deps, code))
  if (!link) return deps.notFound(req, res)
  setHeaders(res, deps.headers)
  if (isRefusal(link)) return pages.stopped(req, res, link)

  // Its password, or how often it may be followed, may have changed by now.
  if (link.steps.guards.length > 0 && deps.isCutOff()) return pages.stopped(req, res, closedLink())
  const allowed = link.steps.guards.length > 0 ? 'GET, HEAD, POST' : 'GET, HEAD'
  if (!allowed.includes(req.method ?? '')) return pages.methodNotAllowed(req, res, allowed)

  const answers = req.method === 'POST' ? await deps.readForm(req) : {}
  if (isRefusal(answers)) return pages.stopped(req, res, answers)
  const raw = rawVisit(deps, req, link)
  if (view?.isOpen) return show(deps, req, res, { view, raw, url: '' })
  const checked = await checkGuards(link, answers, {
    hooks,
    passes: deps.passes,
    openVisit: own => openVisit(raw, deps.placeOf, own),
  })
  if ('outcome' in checked) return stop(deps, req, res, checked.outcome, checked.pass)

  const routed = link.redirect ? link : await route(deps, link, raw)
  if (isRefusal(routed)) return pages.stopped(req, res, routed)
  const { url } = routed
  const { claims } = checked
  if (view && claims.length > 0) return pages.stopped(req, res, notShown)
  if (view) return show(deps, req, res, { view, raw, url })
  if (req.method === 'HEAD' && claims.length > 0) return answerWithoutAddress(res)
  for (const claim of claims) {
    const outcome = await hooks.claim(claim, link.tracked.view.id)
    if (outcome) return stop(deps, req, res, outcome)
  }
  // 303 turns the form's POST into a GET of the address: RFC 9110, section 15.4.4.
  res
    .writeHead(req.method === 'POST' ? 303 : 302, link.redirect?.headers ?? redirectHeaders(url))
    .end()
  if (req.method !== 'HEAD')
    record(deps, req, link, 'variants' in routed ? routed.variants : undefined)
}

/** Show why the visitor cannot go on; a guard may also send them elsewhere. */
function stop(
  { pages }: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  outcome: Outcome,
  pass?: string,
): void {
  if (outcome.kind !== 'redirect') pages.stopped(req, res, outcome, pass)
  else res.writeHead(req.method === 'POST' ? 303 : 302, redirectHeaders(outcome.url)).end()
}

/** Add raw headers to an answer, whoever makes it. */
export function setHeaders(res: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) {
    res.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
  }
}

/** A client that learned the address here would not need the visit that a claim takes. */
function answerWithoutAddress(res: ServerResponse): void {
  res.writeHead(302, [...otherHeaders]).end()
}

const notShown = refuse(
  'not_shown',
  {
    en: 'This link has a limited number of visits, so it does not show where it leads before you open it.',
    de: 'Dieser Link hat eine begrenzte Zahl von Besuchen. Er zeigt deshalb erst beim Öffnen, wohin er führt.',
    fr: 'Ce lien a un nombre limité de visites : il ne montre où il mène qu’à l’ouverture.',
    es: 'Este enlace tiene un número limitado de visitas, así que solo muestra adónde lleva al abrirlo.',
  },
  403,
)

/** Show something about the link instead of following it; no visit is counted. */
async function show(
  { hooks, pages, placeOf }: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  { view, raw, url }: { view: NamedStep<ShowLink>; raw: RawVisit; url: string },
): Promise<void> {
  const shown = await hooks.view(view, openVisit(raw, placeOf), url)
  if (shown) pages.shown(req, res, shown)
  else pages.stopped(req, res, closedLink())
}

async function load(deps: FollowDeps, code: string): Promise<CompiledLink | Refusal | undefined> {
  const keep = deps.cache.prepare()
  const found = await deps.findLink(code)
  if (!found) return undefined
  const link = await compileLink(found, deps.hooks, deps.ownerOf, deps.headers)
  if (!isRefusal(link)) keep(code, link)
  return link
}

async function route(
  { hooks, placeOf }: FollowDeps,
  link: CompiledLink,
  raw: RawVisit,
): Promise<{ readonly url: string; readonly variants: Visit['variants'] } | Refusal> {
  const visit = openVisit(raw, placeOf)
  const variants: Record<string, string> = {}
  let url = link.url
  for (const target of link.steps.targets) {
    const routed = await hooks.target(target, visit, url)
    if (!routed) return closedLink()
    url = routed.url
    if (routed.variant !== undefined) variants[target.feature] = routed.variant
  }
  return { url, variants }
}

function record(
  deps: FollowDeps,
  req: RequestHead,
  link: CompiledLink,
  variants?: Visit['variants'],
): void {
  if (!isCounted(link)) return
  const said = readHeaders(req.rawHeaders)
  if (said.isPrefetch) return
  const raw = rawVisit(deps, req, link, said)
  deps.record(variants ? { ...raw, variants } : raw)
}

function isCounted({ tracked }: CompiledLink): boolean {
  return tracked.owner.collect.length > 0
}

function rawVisit(
  deps: FollowDeps,
  req: RequestHead,
  link: CompiledLink,
  said = readHeaders(req.rawHeaders),
): RawVisit {
  const { userAgent, referer, language, totalsOnly, forwardedFor } = said
  const { url = '' } = req
  const mark = url.indexOf('?')
  return {
    link: link.tracked,
    at: deps.nowMs(),
    ip: deps.findClient(req.socket.remoteAddress, forwardedFor),
    userAgent,
    referer,
    language,
    query: mark === -1 ? '' : url.slice(mark + 1),
    totalsOnly,
  }
}
