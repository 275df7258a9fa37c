import type { IncomingMessage } from 'node:http'
import { type ConfirmPassword, sessionRequired } from '../../accounts/access/confirm-password.ts'
import type { SignedIn } from '../../accounts/account.ts'
import type { OwnTurns } from '../../lib/async/own-turns.ts'
import type { Slots } from '../../lib/async/slots.ts'
import { within } from '../../lib/async/within.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { type Casing, nameAsSent, pathOf } from '../../lib/text/casing.ts'
import { type BodyMemory, createBodyMemory, type HeldBody } from '../../limits/body-memory.ts'
import { isPageQuery } from '../../plugin/lists/paging.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { SentFile } from '../../plugin.ts'
import { isDangling } from '../../storage/foreign-keys.ts'
import type { ClientAddress } from '../request/client-address.ts'
import type { Rejection } from '../send/problem.ts'
import { type Headers, rateLimitHeaders } from '../send/send.ts'
import { type Credentials, createIdentify, readCookie } from './access/identify.ts'
import type { Paging } from './access/signed-pages.ts'
import { checkAnswer } from './check-answer.ts'
import { isKnown } from './etag.ts'
import { type Input, readInput } from './input/read-input.ts'
import { createReceiveFile, type ReceiveFile } from './input/receive-file.ts'
import { refuseSentBack } from './refuse-sent-back.ts'
import type { AnswerOnce } from './repeat/idempotency.ts'
import {
  type Attempt,
  attemptWithoutKey,
  type Call,
  type Reply,
  type Route,
} from './route/route.ts'

/** What answering needs from the rest of the program. */
export interface AnswerParts {
  readonly credentials: Credentials
  readonly clientAddress: ClientAddress
  /** Called for each refused token, with the address that it came from. */
  readonly onRefusedToken?: (ip: string) => Promise<void>
  /** Called where somebody calls what they may not, with their address, their account and the scope that they need. */
  readonly onRefusedCall?: (ip: string, accountId: number, needed: string) => Promise<void>
  /** How long a credential check, and then a handler, may take, in milliseconds. Default: 10,000. */
  readonly answerMs?: number | undefined
  /** For tests: throws if an answer does not match its schema, which is a bug. */
  readonly checkAnswers?: boolean
  readonly paging: Paging
  /** Checks the password of routes that ask a session for it. */
  readonly confirm: ConfirmPassword
  /** Bounds the handlers that run; by default, any number may. */
  readonly slots?: Slots
  /** Gives the lists of an account one turn after another; by default, they are made at the same time. */
  readonly lists?: OwnTurns
  /** Bounds the bodies that are read and used; by default, apart from all others. */
  readonly bodies?: BodyMemory
  readonly receiveFile?: ReceiveFile
  /** Handles an `Idempotency-Key`; without it, such keys are ignored. */
  readonly answerOnce?: AnswerOnce
}

/** A request whose path belongs to a route. */
export interface RoutedRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>
  /** The query with its question mark; empty when there is none. */
  readonly search: string
}

const clientLeft = refuse('unavailable', 'The client has left.', 503)

/** How long a credential counts once it was checked, in milliseconds. */
const staleMs = 50

/** The answer to a request that takes too long. */
export const tookTooLong = refuse(
  'unavailable',
  'This takes too long. Try again later.',
  503,
  undefined,
  { retryAfterSeconds: 5 },
)

/** The answer to a request, and the headers that tell what is left of its rate limit. */
export interface Answered {
  readonly reply: Reply | Rejection
  /** Whether it was only tried. */
  readonly isDry?: boolean
  readonly limit?: Headers | undefined
}

/**
 * Returns what happens to a request of the API once its route is known. `answer` lists it in order: the first step that
 * refuses ends it.
 */
export function createAnswer(
  parts: AnswerParts,
): (route: Route, req: RoutedRequest, requestId: string) => Promise<Answered> {
  const { credentials, clientAddress, paging, confirm, answerOnce } = parts
  const { answerMs = 10_000, checkAnswers = false, slots = (_, work) => work() } = parts
  const { bodies = createBodyMemory(), lists = (_, work) => work() } = parts
  const findCaller = createFindSignedIn(parts)
  const { receiveFile = createReceiveFile() } = parts

  return async function answer(route, req, requestId) {
    const found = await findCaller(route, req)
    if (isRefusal(found)) return { reply: found }
    const barred = whyBarred(route, found)
    if (barred) {
      await parts.onRefusedCall?.(clientAddress(req), found.accountId, route.scope)
      return { reply: barred }
    }
    const foundAt = performance.now()
    const held = bodies.begin(clientKey(clientAddress(req)))
    try {
      const input = await readInput(route, req, req.search, held, found)
      if (isRefusal(input)) return { reply: input, limit: await limitOf(route, req, found) }
      const asked = { route, req, caller: found, input, held, requestId }
      const reply =
        paging.check(pageOf(asked)) ??
        (await checkFresh(asked)) ??
        (await checkPassword(asked)) ??
        (await receiving(asked, file =>
          handleStill({ ...asked, file }, foundAt).catch((error: unknown) =>
            whoIsGone(asked, error),
          ),
        ))
      return { reply, limit: await limitOf(route, req, found, input.body), isDry: input.isDry }
    } finally {
      held.end()
    }
  }

  /** An account may be deleted while its request runs. */
  async function whoIsGone({ route, req }: Checked, error: unknown): Promise<Rejection> {
    if (!isDangling(error)) throw error
    const caller = await findCaller(route, req)
    if (isRefusal(caller)) return caller
    throw error
  }

  async function checkFresh({ route, caller }: Checked): Promise<Refusal | undefined> {
    if (route.fresh === undefined) return undefined
    return within(answerMs, confirm.fresh(caller, route.fresh), tookTooLong)
  }

  /** Receives the file of a route that takes one, and deletes it unless the handler has moved it. */
  async function receiving(
    { route, req, caller, input }: Checked,
    handle: (file: SentFile | undefined) => Promise<Reply | Rejection>,
  ): Promise<Reply | Rejection> {
    if (!route.receives) return handle(undefined)
    const { params } = req
    const where = await route.receives({ caller, params, query: input.query })
    if (isRefusal(where)) return where
    const file = await receiveFile(req, caller.accountId, where)
    if (isRefusal(file)) return file
    return handle({ path: file.path, bytes: file.bytes }).finally(file.end)
  }

  /** Before an `Idempotency-Key` is looked at: an answer that was kept is for those who know the password, too. */
  async function checkPassword({ route, caller, input }: Checked): Promise<Rejection | undefined> {
    if (!route.asksPassword?.(input.body) || caller.credential !== 'session') return undefined
    const { currentPassword = null } = input.body as { readonly currentPassword?: string | null }
    const refused = await within(answerMs, confirm(caller, currentPassword), tookTooLong)
    return refused && withNameAsSent(refused, input.sent, route.casing)
  }

  /** Finds the caller anew if the body or the password took long: the credential may have been ended meanwhile. */
  async function handleStill(asked: Checked, foundAt: number): Promise<Reply | Rejection> {
    if (performance.now() - foundAt < staleMs) return handleOnce(asked)
    const caller = await findCaller(asked.route, asked.req)
    return isRefusal(caller) ? caller : handleOnce({ ...asked, caller })
  }

  /** Answers a request with an `Idempotency-Key` as it was answered before, if it was. */
  function handleOnce(asked: Checked): Promise<Reply | Rejection> {
    const { route, req, caller, input, held, requestId } = asked
    const untilMs = Math.max(route.answerMs ?? 0, answerMs)
    const key = headerOf(req, 'idempotency-key')
    const isRepeatable = route.method !== 'GET' && route.scope !== 'anyone' && !route.receives
    const isKeyed = key !== undefined && isRepeatable && !input.isDry
    const work = () => {
      if (!isKeyed || !answerOnce) return handle(asked, attemptWithoutKey)
      const { params, search } = req
      const ifMatch = headerOf(req, 'if-match')
      const request = { key, route, caller, params, search, ifMatch, sent: input.sent, requestId }
      return answerOnce(request, attempt => handle(asked, attempt))
    }
    // Nobody reads a list whose client has left while it waited.
    const unlessLeft = async () => (req.socket.destroyed ? clientLeft : work())
    const inTurn = () => (isPageQuery(route.query) ? lists(clientOf(asked), unlessLeft) : work())
    const working = slots(
      () => clientOf(asked),
      () => credentials.act(caller, inTurn, clientAddress(req)),
    )
    held.until(working)
    return within(untilMs, working, tookTooLong)
  }

  /** Whose slot a request takes. */
  function clientOf({ req, caller }: Checked): string {
    return caller ? `account ${caller.account.id}` : clientKey(clientAddress(req))
  }

  /** The handler, then the link to the next page of a list, then 304 for an answer that the client has. */
  async function handle(asked: Checked, attempt: Attempt): Promise<Reply | Rejection> {
    const { route, req, caller, input, requestId } = asked
    const { sentBack, ...given } = input
    const call: Call = {
      params: req.params,
      ...given,
      ...(asked.file && { file: asked.file }),
      ip: clientAddress(req),
      session: readCookie(req, credentials.cookie),
      search: req.search,
      cookie: name => readCookie(req, name),
      acceptLanguage: headerOf(req, 'accept-language') ?? '',
      acceptEncoding: headerOf(req, 'accept-encoding') ?? '',
      ifMatch: headerOf(req, 'if-match'),
      requestId,
      attempt,
      caller,
    }
    const reply = (await refuseSentBack(route, call, sentBack)) ?? (await route.handle(call))
    if (isRefusal(reply)) return withNameAsSent(reply, input.sent, route.casing)
    const finished = paging.finish(pageOf(asked), reply)
    if (checkAnswers) checkAnswer(route, finished)
    return input.isDry ? withoutPlace(finished) : unlessKnown(route, req, finished)
  }

  /** The headers that tell what is left of its rate limit; the body is undefined if it is not valid. */
  async function limitOf(
    route: Route,
    req: RoutedRequest,
    caller: SignedIn,
    body?: unknown,
  ): Promise<Headers | undefined> {
    const left = await (route.asksPassword && caller.credential === 'session'
      ? confirm.left(caller)
      : route.rateLimit?.({ ip: clientAddress(req), caller, body }))
    return left && rateLimitHeaders(left)
  }
}

/** Returns who finds the caller of a request: its credential (401) and the scope of that (403). */
export function createFindSignedIn({
  credentials,
  clientAddress,
  onRefusedToken,
  onRefusedCall,
  answerMs = 10_000,
}: Pick<
  AnswerParts,
  'credentials' | 'clientAddress' | 'onRefusedToken' | 'onRefusedCall' | 'answerMs'
>) {
  const identify = createIdentify(credentials, async (req, { accountId }, needed) =>
    onRefusedCall?.(clientAddress(req), accountId, needed),
  )
  return async (route: Pick<Route, 'scope'>, req: IncomingMessage): Promise<SignedIn | Refusal> => {
    const caller = await within(answerMs, identify(req, route), tookTooLong)
    if (isRefusal(caller) && caller.code === 'invalid_token')
      await onRefusedToken?.(clientAddress(req))
    // Undefined only where anyone may call, and no handler reads it there.
    return caller as SignedIn | Refusal
  }
}

/** Whoever cannot call a route learns that before anything else. */
function whyBarred(route: Route, caller: SignedIn): Refusal | undefined {
  if (route.fresh !== undefined && caller.credential !== 'session') return sessionRequired
  return route.bars?.(caller)
}

/** A request whose credential, body and query were checked. */
interface Checked {
  readonly route: Route
  readonly req: RoutedRequest
  readonly caller: SignedIn
  readonly input: Input
  readonly held: HeldBody
  readonly requestId: string
  readonly file?: SentFile | undefined
}

function pageOf({ route, req: { search }, caller, input: { query } }: Checked) {
  return { route, caller, query, search }
}

/** Handlers name fields as the code does; errors name them as the client wrote them. */
export function withNameAsSent(
  refusal: Rejection,
  sent: unknown,
  casing: Casing = 'snake',
): Rejection {
  const { field } = refusal
  return field === undefined
    ? refusal
    : { ...refusal, field: nameAsSent(sent, pathOf(field), casing) }
}

/** What was only tried has no address and no version: another thing could have this version later. */
function withoutPlace({ headers, ...reply }: Reply): Reply {
  const { ETag: _, Location: __, ...others } = headers ?? {}
  return { ...reply, headers: others }
}

/** Answers 304, without a body, if the client has this answer already. */
function unlessKnown({ method }: Route, req: IncomingMessage, reply: Reply): Reply {
  const { headers = {} } = reply
  const isOld = method === 'GET' && isKnown(headerOf(req, 'if-none-match'), headers.ETag)
  return isOld ? { status: 304, headers } : reply
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name]?.toString()
}
