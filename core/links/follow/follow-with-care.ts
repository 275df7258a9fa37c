import type { IncomingMessage, ServerResponse } from 'node:http'
import { readAgent } from '../../lib/agent.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import type { File, Visit } from '../../plugin.ts'
import { openVisit, type RawVisit } from '../../visits/facts/open-visit.ts'
import type { ViewStep } from '../hooks.ts'
import { notShown, opener, openFirst } from './before-claims.ts'
import { type Answers, checkGuards, type Passed } from './check-guards.ts'
import { type CompiledLink, closedLink } from './compile.ts'
import { type Ending, sendEnding } from './ending.ts'
import { findNamed } from './find-named.ts'
import { findRoute, type Route } from './find-route.ts'
import type { FollowDeps } from './follow-deps.ts'
import { setHeaders } from './ready-response.ts'
import { type ReadVisit, recordVisit } from './record-visit.ts'

/** Somebody who follows a link. */
interface Visitor {
  readonly deps: FollowDeps
  readonly method: string
  readonly link: CompiledLink
  /** What is to be shown of the link instead of following it. */
  readonly view: ViewStep | undefined
  readonly raw: RawVisit & ReadVisit
  /** The same visit, as plugins see it. */
  readonly visit: Visit
  /** A form that cannot be read matters only where one is asked for. */
  readonly answers: Answers | Refusal
}

/** Answers a request whose visit was read when it arrived: finds what its path names, and leads the visitor. */
export async function followWithCare(
  deps: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  read: ReadVisit,
  answers: Answers | Refusal,
): Promise<void> {
  const { method = '' } = req
  const named = await findNamed(deps, req, read)
  if (!named) return deps.notFound(req, res)
  setHeaders(res, deps.headers)
  if ('kind' in named) return sendEnding(deps, req, res, named)

  const { link, view, rest, instead } = named
  if (isRefusal(link)) return sendEnding(deps, req, res, instead ? inPlace(method, instead) : link)
  const raw = { ...read, link: link.tracked, rest }
  const visit = Object.freeze(openVisit(raw, deps.placeOf))
  const visitor = { deps, method, link, view, raw, visit, answers }
  const ending = instead ? await leadInstead(visitor, instead) : await lead(visitor)
  sendEnding(deps, req, res, ending)
  const route = ending.kind === 'on' || ending.kind === 'file' ? ending.route : undefined
  if (route && method !== 'HEAD') recordVisit(deps, req, link, read, route.variants)
}

/**
 * What happens to the visitor of a link, in this order: the first step that says how it ends decides. Nothing is said of where
 * the link leads before all of its guards agree.
 */
async function lead(visitor: Visitor): Promise<Ending> {
  const barred = closeUnheard(visitor) ?? checkMethod(visitor) ?? (await showView(visitor))
  if (barred) return barred
  const passed = await checkGuards(visitor)
  if ('kind' in passed) return passed
  const route = await findRoute(visitor)
  if ('kind' in route) return route
  return (
    checkForm(visitor, route) ??
    saveClaims(visitor, passed) ??
    (await showView(visitor, route)) ??
    (await askBeforeLeaving(visitor, passed, route)) ??
    (await takeClaims(visitor, passed)) ?? { kind: 'on', route }
  )
}

/** Its password, or how often it may be followed, may have changed by now. */
function closeUnheard({ deps, link: { steps } }: Visitor): Refusal | undefined {
  return steps.guards.length > 0 && deps.isCutOff() ? closedLink() : undefined
}

/** Only who may be asked something sends a form. A target says only when it is asked whether it asks. */
function checkMethod({ method, link: { steps }, answers }: Visitor): Ending | undefined {
  const isGuarded = steps.guards.length > 0
  const mayAsk = isGuarded || steps.targets.length > 0
  const isTaken = method === 'POST' ? mayAsk : isRead(method)
  if (!isTaken) return { kind: 'method', allow: isGuarded ? 'GET, HEAD, POST' : 'GET, HEAD' }
  return isGuarded && isRefusal(answers) ? answers : undefined
}

/** Shows something of the link instead of following it, an open view before there is a route; no visit is counted. */
async function showView(
  { deps, view, visit }: Visitor,
  route?: Route,
): Promise<Ending | undefined> {
  if (!view || !(view.isOpen || route)) return undefined
  return (await deps.hooks.view(view, visit, route?.url ?? '')) ?? closedLink()
}

/** A form is for guards, or else for a target that asks. */
function checkForm({ method, link, answers }: Visitor, { asker }: Route): Ending | undefined {
  if (method !== 'POST' || link.steps.guards.length > 0) return undefined
  if (!asker) return { kind: 'method', allow: 'GET, HEAD' }
  return isRefusal(answers) ? answers : undefined
}

/** Who does not open the link uses nothing up, and does not learn where it leads. */
function saveClaims({ method, view, raw }: Visitor, { claims }: Passed): Ending | undefined {
  if (claims.length === 0) return undefined
  // A browser that looked ahead asks again when somebody opens the link, because this was no success.
  if (view || raw.isPrefetch) return notShown
  return method === 'HEAD' ? { kind: 'untold' } : undefined
}

/** A target asks about the address that is final. Where something would be used up, a robot is asked, too. */
async function askBeforeLeaving(
  { deps, raw, visit }: Visitor,
  { claims, isOpened, passFor }: Passed,
  { asker, url }: Route,
): Promise<Ending | undefined> {
  if (isOpened) return undefined
  const isClaimed = claims.length > 0
  if (isClaimed && !asker && !readAgent(raw.userAgent).bot) return undefined
  const said = isClaimed ? openFirst : asker && (await deps.hooks.target(asker, visit, url))
  if (!said || !('kind' in said)) return undefined
  return said.kind === 'ask' ? { ...said, pass: passFor(opener) } : said
}

async function takeClaims({ deps, link }: Visitor, { claims }: Passed) {
  for (const claim of claims) {
    const outcome = await deps.hooks.claim(claim, link.tracked.view.id)
    if (outcome) return outcome
  }
  return undefined
}

/**
 * Answers a file of a plugin in place of the link, always the same one, so that nobody learns from it what protects the link. The
 * visit counts if the link would lead on; what is used up, such as one of ten visits, is left to those who follow it.
 */
async function leadInstead(visitor: Visitor, file: File): Promise<Ending> {
  const ending = inPlace(visitor.method, file)
  if (visitor.method !== 'GET' || closeUnheard(visitor)) return ending
  const passed = await checkGuards(visitor)
  if ('kind' in passed || passed.claims.length > 0) return ending
  const route = await findRoute(visitor)
  return 'kind' in route ? ending : { kind: 'file', file, route }
}

function inPlace(method: string, file: File): Ending {
  return isRead(method) ? { kind: 'file', file } : { kind: 'method', allow: 'GET, HEAD' }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
