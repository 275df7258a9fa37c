import type { IncomingMessage } from 'node:http'
import type { ConfirmPassword } from '../../accounts/access/confirm-password.ts'
import type { SignedIn } from '../../accounts/account.ts'
import { within } from '../../lib/async/within.ts'
import { type Casing, nameAsSent, pathOf } from '../../lib/text/casing.ts'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import type { ClientAddress } from '../request/client-address.ts'
import type { Rejection } from '../send/problem.ts'
import { rateLimitHeaders } from '../send/rate-limit-headers.ts'
import type { Headers } from '../send/send.ts'
import { type Credentials, createIdentify, readCookie } from './access/identify.ts'
import type { Paging } from './access/signed-pages.ts'
import { checkAnswer } from './check-answer.ts'
import { isKnown } from './etag.ts'
import { type Input, readInput } from './input/read-input.ts'
import type { AnswerOnce } from './repeat/idempotency.ts'
import type { Reply, Route } from './route/route.ts'
import { type Attempt, attemptWithoutKey } from './route/route.ts'

/** What answering needs from the rest of the program. */
export interface AnswerParts {
  readonly credentials: Credentials
  readonly clientAddress: ClientAddress
  /** Called for each refused token, with the address that it came from. */
  readonly onRefusedToken?: (ip: string) => Promise<void>
  /** How long a credential check, and then a handler, may take, in milliseconds. Default: 10,000. */
  readonly answerMs?: number | undefined
  /** For tests: throws if an answer does not match its schema, which is a bug. */
  readonly checkAnswers?: boolean
  readonly paging: Paging
  /** Checks the password of routes that ask a session for it. */
  readonly confirm: ConfirmPassword
  /** Handles an `Idempotency-Key`; without it, such keys are ignored. */
  readonly answerOnce?: AnswerOnce
}

/** A request whose path belongs to a route. */
export interface RoutedRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>
  /** The query with its question mark; empty when there is none. */
  readonly search: string
}

/** The answer to a request that takes too long. */
export const tookTooLong = refuse('unavailable', 'This takes too long. Try again later.', 503)

/** The answer to a request, and the headers that tell what is left of its rate limit. */
export interface Answered {
  readonly reply: Reply | Rejection
  readonly limit?: Headers
}

/**
 * Returns a function that answers requests: it checks credential and scope first, then body and query, then
 * calls the handler.
 */
export function createAnswer(
  parts: AnswerParts,
): (route: Route, req: RoutedRequest, requestId: string) => Promise<Answered> {
  const { credentials, clientAddress, onRefusedToken, paging, confirm, answerOnce } = parts
  const { answerMs = 10_000, checkAnswers = false } = parts
  const identify = createIdentify(credentials)
  return async (route, req, requestId) => {
    const identified = await within(answerMs, identify(req, route), tookTooLong)
    if (isRefusal(identified)) {
      if (identified.code === 'invalid_token') await onRefusedToken?.(clientAddress(req))
      return { reply: identified }
    }
    // Undefined only where anyone may call, and no handler reads it there.
    const caller = identified as SignedIn
    const input = await readInput(route, req, req.search)
    const reply = isRefusal(input)
      ? input
      : await answerInput(route, req, { caller, input, requestId })
    const body = isRefusal(input) ? undefined : input.body
    const left = await (route.asksPassword && caller.credential === 'session'
      ? confirm.left(caller)
      : route.rateLimit?.({ ip: clientAddress(req), caller, body }))
    return { reply, ...(left && { limit: rateLimitHeaders(left) }) }
  }

  async function answerInput(
    route: Route,
    req: RoutedRequest,
    { caller, input, requestId }: Checked,
  ): Promise<Reply | Rejection> {
    const page = { route, caller, query: input.query, search: req.search }
    const wrongPage = paging.check(page)
    if (wrongPage) return wrongPage
    if (route.asksPassword?.(input.body) && caller.credential === 'session') {
      const refused = await within(answerMs, confirmBy(route, caller, input), tookTooLong)
      if (refused) return refused
    }
    const answer = async (attempt: Attempt) => {
      const reply = await route.handle({
        params: req.params,
        ...input,
        ip: clientAddress(req),
        session: readCookie(req, credentials.cookie),
        acceptLanguage: headerOf(req, 'accept-language') ?? '',
        acceptEncoding: headerOf(req, 'accept-encoding') ?? '',
        ifMatch: headerOf(req, 'if-match'),
        requestId,
        attempt,
        caller,
      })
      if (isRefusal(reply)) return withNameAsSent(reply, input.sent, route.casing)
      const finished = paging.finish(page, reply)
      if (checkAnswers) checkAnswer(route, finished)
      return unlessKnown(route, req, finished)
    }
    const untilMs = Math.max(route.answerMs ?? 0, answerMs)
    const key = headerOf(req, 'idempotency-key')
    const isKeyed = key !== undefined && route.method !== 'GET' && route.scope !== 'anyone'
    if (!isKeyed || !answerOnce) return within(untilMs, answer(attemptWithoutKey), tookTooLong)
    const { params, search } = req
    const ifMatch = headerOf(req, 'if-match')
    const request = { key, route, caller, params, search, ifMatch, sent: input.sent, requestId }
    return within(untilMs, answerOnce(request, answer), tookTooLong)
  }

  /** Before an `Idempotency-Key` is looked at: an answer that was kept is for those who know the password, too. */
  async function confirmBy({ casing }: Route, caller: SignedIn, { body, sent }: Input) {
    const { currentPassword = null } = body as { readonly currentPassword?: string | null }
    const refused = await confirm(caller, currentPassword)
    return refused && withNameAsSent(refused, sent, casing)
  }
}

/** A request whose credential, body and query were checked. */
interface Checked {
  readonly caller: SignedIn
  readonly input: Input
  readonly requestId: string
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

/** Answers 304, without a body, if the client has this answer already. */
function unlessKnown({ method }: Route, req: IncomingMessage, reply: Reply): Reply {
  const { headers = {} } = reply
  const isOld = method === 'GET' && isKnown(headerOf(req, 'if-none-match'), headers.ETag)
  return isOld ? { status: 304, headers } : reply
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name]?.toString()
}
