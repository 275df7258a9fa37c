import type { IncomingMessage, ServerResponse } from 'node:http'
import { readAgent } from '../../lib/agent.ts'
import { type Follow, isRefusal, type Outcome, type Refusal } from '../../plugin/outcomes.ts'
import type { CodeRules, Routed } from '../../plugin.ts'
import type { FoundLink } from '../../storage/database.ts'
import { openUnknown, openVisit, type RawVisit } from '../../visits/facts/open-visit.ts'
import { codesIn, formOf } from '../codes/code-rules.ts'
import { pathIn } from '../codes/read-path.ts'
import { isReserved, type Paths } from '../codes/reserved-codes.ts'
import { pathOf } from '../codes/wide-code.ts'
import type { AnswerUnknown, NamedStep, ShowLink, UnknownOutcome, ViewStep } from '../hooks.ts'
import { notShown, opener, openFirst } from './before-claims.ts'
import { type Answers, checkGuards } from './check-guards.ts'
import { type CompiledLink, closedLink, compileLink, notAllowed } from './compile.ts'
import { countOnly } from './count-only.ts'
import { findRoute, type Route } from './find-route.ts'
import type { FollowDeps } from './follow-deps.ts'
import { readHeaders } from './read-headers.ts'
import { setHeaders } from './ready-response.ts'
import { rawVisit, recordVisit } from './record-visit.ts'
import { otherHeaders, redirectHeaders } from './redirect.ts'

/**
 * Follows a link step by step: its guards, its targets, and what its guards left for last. Nothing is said of where it
 * leads before all of them agree. A form that cannot be read matters only where one is asked for.
 */
export async function followWithCare(
  deps: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  answers: Answers | Refusal,
  unasked = deps.hooks.unknown,
  behind?: Behind,
): Promise<void> {
  const { hooks, pages } = deps
  const { link, view } = (await findNamed(deps, path, behind)) ?? {}
  if (!link && unasked.length > 0) return answerUnknown(deps, req, res, answers, unasked)
  if (!link) return deps.notFound(req, res)
  setHeaders(res, deps.headers)
  if (behind?.instead) return countOnly(deps, req, res, link, behind.instead)
  if (isRefusal(link)) return pages.stopped(req, res, link)

  // Its password, or how often it may be followed, may have changed by now.
  if (link.steps.guards.length > 0 && deps.isCutOff()) return pages.stopped(req, res, closedLink())
  const { guards, targets } = link.steps
  // A target may ask, too, which it says only when it is asked.
  const mayAsk = guards.length > 0 || (req.method === 'POST' && targets.length > 0)
  const allowed = mayAsk ? 'GET, HEAD, POST' : 'GET, HEAD'
  if (!allowed.includes(req.method ?? '')) return pages.methodNotAllowed(req, res, allowed)

  if (isRefusal(answers) && guards.length > 0) return pages.stopped(req, res, answers)
  const raw = { ...rawVisit(deps, req, link.tracked), rest: behind?.rest ?? '' }
  if (view?.isOpen) return show(deps, req, res, { view, raw, url: '' })
  const checked = await checkGuards(link, isRefusal(answers) ? {} : answers, {
    hooks,
    passes: deps.passes,
    openVisit: own => openVisit(raw, deps.placeOf, own),
  })
  if ('outcome' in checked) return stop(deps, req, res, checked.outcome, checked.pass)

  const routed: Route | Refusal = link.redirect ? link : await findRoute(deps, link, raw)
  if (isRefusal(routed)) return pages.stopped(req, res, routed)
  const { url, shown, asker } = routed
  if (req.method === 'POST' && guards.length === 0) {
    if (!asker) return pages.methodNotAllowed(req, res, 'GET, HEAD')
    if (isRefusal(answers)) return pages.stopped(req, res, answers)
  }
  const { claims } = checked
  // A browser that looked ahead asks again when somebody opens the link, because this was no success.
  if (claims.length > 0 && (view || readHeaders(req.rawHeaders).isPrefetch))
    return pages.stopped(req, res, notShown)
  if (view) return show(deps, req, res, { view, raw, url })
  if (req.method === 'HEAD' && claims.length > 0) return answerWithoutAddress(res)
  if (!checked.isOpened) {
    const isRobot = () => readAgent(raw.userAgent).bot
    const question =
      claims.length === 0
        ? asker && (await hooks.target(asker, openVisit(raw, deps.placeOf), url))
        : (asker || isRobot()) && openFirst
    if (question && 'kind' in question)
      return stop(deps, req, res, question, checked.passFor(opener))
  }
  for (const claim of claims) {
    const outcome = await hooks.claim(claim, link.tracked.view.id)
    if (outcome) return stop(deps, req, res, outcome)
  }
  if (shown) stop(deps, req, res, shown)
  else if (link.redirect) res.writeHead(statusFor(req), link.redirect.headers).end()
  else sendTo(req, res, routed)
  if (req.method !== 'HEAD') recordVisit(deps, req, link, routed.variants)
}

/** 303 turns the form's POST into a GET of the address, whatever else is wanted: RFC 9110, section 15.4.4. */
function statusFor({ method }: IncomingMessage, wanted: number = 302): number {
  return method === 'POST' ? 303 : wanted
}

function sendTo(
  req: IncomingMessage,
  res: ServerResponse,
  { url, status, headers }: Pick<Routed, 'url' | 'status' | 'headers'>,
): void {
  res.writeHead(statusFor(req, status), redirectHeaders(url, headers)).end()
}

/** Asks plugins in turn what a path without a link stands for. Naming another path without a link is no answer. */
async function answerUnknown(
  deps: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  answers: Answers | Refusal,
  unasked: FollowDeps['hooks']['unknown'],
): Promise<void> {
  const answered = await askUnknown(deps, req, unasked)
  if (!answered) return deps.notFound(req, res)
  const { outcome, others, feature } = answered
  if (outcome.kind === 'follow') {
    const { path, rest, instead } = outcome
    const behind = rest === undefined && !instead ? undefined : { rest, feature, instead }
    return followWithCare(deps, req, res, path, answers, others, behind)
  }
  setHeaders(res, deps.headers)
  stop(deps, req, res, outcome)
}

/** Show something about the link instead of following it; no visit is counted. */
async function show(
  deps: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  { view, raw, url }: { view: NamedStep<ShowLink>; raw: RawVisit; url: string },
): Promise<void> {
  stop(
    deps,
    req,
    res,
    (await deps.hooks.view(view, openVisit(raw, deps.placeOf), url)) ?? closedLink(),
  )
}

/** Show why the visitor cannot go on; a guard may also send them elsewhere. */
function stop(
  { pages, mayLeadTo }: FollowDeps,
  req: IncomingMessage,
  res: ServerResponse,
  outcome: Outcome,
  pass?: string,
): void {
  const next = outcome.kind === 'page' ? outcome.link : outcome.kind === 'redirect' && outcome
  if (next && !mayLeadTo(next.url)) pages.stopped(req, res, notAllowed)
  else if (outcome.kind === 'redirect') sendTo(req, res, outcome)
  else if (outcome.kind === 'page') pages.shown(req, res, outcome)
  else pages.stopped(req, res, outcome, pass)
}

/** A client that learned the address here would not need the visit that a claim takes. */
function answerWithoutAddress(res: ServerResponse): void {
  res.writeHead(302, [...otherHeaders]).end()
}

/** What a path names: a link, and what of it is to be shown. */
interface Named {
  readonly link: CompiledLink | Refusal
  readonly view: ViewStep | undefined
}

/** What stood behind the code, and the feature whose links take it. */
interface Behind {
  readonly rest: string | undefined
  readonly feature: string
  readonly instead: Follow['instead']
}

async function findNamed(
  deps: FollowDeps,
  path: string,
  behind: Behind | undefined,
): Promise<Named | undefined> {
  const rules = deps.rules()
  for (const { code, suffix } of codesIn(path, rules)) {
    if (behind && suffix !== undefined) continue
    const view = suffix === undefined ? undefined : deps.hooks.findView(suffix)
    if (suffix !== undefined && !view) continue
    const link =
      (await findLink(deps, pathOf(code), () => deps.findLink(code))) ??
      (await findByForm(deps, code, rules))
    if (link && (!behind || takes(link, behind))) return { link, view }
  }
  return undefined
}

/** All other links have nothing behind their codes. One that is closed says so, whatever it would take. */
function takes(link: CompiledLink | Refusal, { rest, feature }: Behind): boolean {
  return (
    rest === undefined ||
    isRefusal(link) ||
    link.steps.targets.some(target => target.feature === feature)
  )
}

/** Finds a link by another spelling of its code, on a host where that is the same. */
async function findByForm(
  deps: FollowDeps,
  code: string,
  rules: CodeRules,
): Promise<CompiledLink | Refusal | undefined> {
  const form = formOf(code, rules)
  // What browsers and programs look for on a host is never another spelling of somebody's code.
  if (form === undefined || isReserved(deps.host?.name ?? '', code, noPaths)) return undefined
  return findLink(deps, `${formMark}${form}`, () => deps.findForm(form))
}

/** Those of plugins are answered before links are looked for. */
const noPaths: Paths = new Map()

/** No path has it, so no code in the cache is taken for a form. */
const formMark = '\t'

/**
 * Finds a link in the cache or in the database, and keeps it ready. A link that must stay closed is not kept. One that is
 * doubtful is followed only while the database does not answer.
 */
async function findLink(
  deps: FollowDeps,
  key: string,
  find: () => Promise<FoundLink | undefined>,
): Promise<CompiledLink | Refusal | undefined> {
  const ready = deps.cache.get(key) ?? deps.cache.inSilence(key)
  if (ready) return ready
  const keep = deps.cache.prepare()
  let found: FoundLink | undefined
  try {
    found = await find()
  } catch (error) {
    deps.cache.noteSilence()
    const doubtful = deps.cache.doubtful(key)
    if (doubtful) return doubtful
    throw error
  }
  const link = found && (await compileLink(found, deps.hooks, deps.ownerOf, deps))
  keep(key, link && isRefusal(link) ? undefined : link)
  return link
}

/** The first answer to a request for which there is no link, and the plugins that were not asked for it. */
interface AnsweredUnknown {
  readonly outcome: UnknownOutcome
  readonly others: readonly NamedStep<AnswerUnknown>[]
  readonly feature: string
}

/**
 * Asks plugins in turn what a path without a link stands for. Where the owner of the host says where unknown codes lead,
 * no plugin leads them elsewhere: it can only find the link that was meant.
 */
async function askUnknown(
  deps: FollowDeps,
  req: IncomingMessage,
  unasked: readonly NamedStep<AnswerUnknown>[],
): Promise<AnsweredUnknown | undefined> {
  if (!methods.has(req.method ?? '')) return undefined
  const { name: host = '', accountId, notFoundUrl = null } = deps.host ?? {}
  const where = { host, accountId: accountId ?? undefined, path: pathIn(req) }
  const visit = openUnknown(rawVisit(deps, req, undefined), where, deps.placeOf)
  for (const [index, { feature, run }] of unasked.entries()) {
    const outcome = await run(visit)
    const others = unasked.slice(index + 1)
    if (outcome?.kind === 'follow') {
      const { otherwise } = outcome
      if (!otherwise) return { outcome, others, feature }
      return { outcome, others: [{ feature, run: async () => otherwise }, ...others], feature }
    }
    if (outcome && notFoundUrl === null) return { outcome, others, feature }
  }
  return undefined
}

/** Those with which links are followed; the answers to a guard's question are posted. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
