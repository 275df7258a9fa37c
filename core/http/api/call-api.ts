import { randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { lendCaller } from '../../accounts/access/lent-callers.ts'
import { suspended } from '../../accounts/access/suspend-account.ts'
import type { Account, SignedIn } from '../../accounts/account.ts'
import { within } from '../../lib/async/within.ts'
import { newRequestId } from '../../lib/request-head.ts'
import type { Json } from '../../plugin/fields.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Called, Caller, Method } from '../../plugin.ts'
import { noOperation, notAllowed, notFound, problemOf, type Rejection } from '../send/problem.ts'
import { bearerToken, type Credentials } from './access/identify.ts'
import { createAnswer, createFindSignedIn, type RoutedRequest } from './answer.ts'
import type { ApiParts } from './api.ts'
import { versionIn } from './etag.ts'
import { failureOf, isForLog } from './failure.ts'
import type { Reply, Route } from './route/route.ts'
import { type Address, paramsIn, routeTable } from './route/route-table.ts'

/** Calls the API for a request that came to another path, with the token that came with it. */
export type CallApi = (
  from: IncomingMessage,
  token: string | undefined,
  what: Asked,
) => Promise<Called>

interface Asked {
  readonly method: Method
  readonly path: string
  readonly body?: Json | undefined
  /** Of the texts in the answer, such as `de`. */
  readonly language?: string | undefined
  /** Whether an answer of so many characters, as JSON, may be given: it is in memory several times, for each who asks. */
  readonly isRoomFor?: (chars: number) => boolean
}

/** Checks the token that came with a request to another path: its caller, or why it does not open what needs this scope. */
export type FindCaller = (
  from: IncomingMessage,
  token: string | undefined,
  scope: string,
) => Promise<Caller | Refusal>

/** Whether a request to another path came with a token that opens something of the API. */
export type HasToken = (from: IncomingMessage, token: string | undefined) => Promise<boolean>

/** Where that cannot be found out, nobody is known. */
export function createHasToken({
  credentials,
  answerMs = 10_000,
}: Pick<ApiParts, 'credentials' | 'answerMs'>): HasToken {
  return async (from, token = bearerToken(from)) => {
    if (token === undefined) return false
    const isGiven = credentials.byToken(token).then(
      owner => !isRefusal(owner),
      () => false,
    )
    return within(answerMs, isGiven, false)
  }
}

/** The check is that of requests to the API. */
export function createFindCaller(
  parts: Pick<
    ApiParts,
    'credentials' | 'clientAddress' | 'onRefusedToken' | 'onRefusedCall' | 'answerMs'
  >,
): FindCaller {
  const find = createFindSignedIn(parts)
  return async (from, token, scope) => {
    if (scope === 'anyone') throw new Error('No token has the scope "anyone".')
    const caller = await find({ scope }, requestLike(from, token, { method: 'GET' }))
    return isRefusal(caller) ? caller : lendCaller(caller)
  }
}

/** Calls go the same way as requests to the API, beginning with the check of the token. */
export function createCallApi(parts: Omit<ApiParts, 'base' | 'corsOrigins' | 'track'>): CallApi {
  const { routes, log } = parts
  const answer = createAnswer(parts)
  // Most plugins call nothing.
  let table: readonly Address[] | undefined

  async function replyTo(route: Route, req: RoutedRequest, requestId: string) {
    try {
      return (await answer(route, req, requestId)).reply
    } catch (error) {
      if (isForLog(error)) log.error(`${route.name} failed`, { requestId, error })
      return failureOf(error)
    }
  }

  return async (from, token, { path, isRoomFor = () => true, ...what }) => {
    const requestId = newRequestId()
    const refused = (why: Rejection): Called => ({
      status: why.status,
      body: asJson(problemOf(why, requestId)),
    })
    const [pathname = '', query] = path.split('?')
    table ??= routeTable(routes, '')
    const address = table.find(({ pattern }) => pattern.test(pathname))
    const params = address ? paramsIn(address, pathname) : {}
    const search = query === undefined ? '' : `?${query}`
    const route = address?.methods.get(what.method)
    const req = Object.assign(requestLike(from, token, what), { params, search })
    const reply = route ? await replyTo(route, req, requestId) : address ? notAllowed : noOperation
    if (isRefusal(reply)) return refused(reply)
    const text = textOf(reply)
    if (text !== undefined && !isRoomFor(text.length)) return refused(tooMuch)
    return {
      status: reply.status ?? route?.status ?? 200,
      body: text === undefined ? undefined : (JSON.parse(text) as Json),
      version: versionIn(reply.headers?.ETag),
    }
  }
}

/** The refusal of an answer that is too large, which a client may ask for in parts. */
export const tooMuch = refuse(
  'payload_too_large',
  'The answer would be larger than there is memory for. Ask for fewer at once, such as by a smaller page or limit.',
  413,
)

/** Calls the API in the name of an account. */
export type CallAs = (account: Account, what: Asked) => Promise<Called>

/** Calls go the same way as requests with a session that gives no password. */
export function createCallAs(
  parts: Pick<ApiParts, 'routes' | 'log' | 'paging' | 'confirm' | 'lists'> &
    Pick<Credentials, 'act'>,
): CallAs {
  const callers = new Map<string, SignedIn>()
  const credentials: Credentials = {
    byToken: async token => callers.get(token) ?? notFound,
    bySession: async () => undefined,
    // The client of a request in which a plugin does this need not be the owner of the account.
    act: (caller, work) => parts.act(caller, work),
    cookie: '',
    origins: [],
  }
  const call = createCallApi({ ...parts, credentials, clientAddress: () => '127.0.0.1' })
  const from = new IncomingMessage(new Socket())
  return async (account, what) => {
    const { id: accountId, suspendedAt } = account
    // Admins export what suspended accounts have; nothing is changed in their name.
    if (suspendedAt && what.method !== 'GET') {
      return { status: suspended.status, body: asJson(problemOf(suspended, newRequestId())) }
    }
    const token = randomUUID()
    callers.set(token, {
      ...{ account, accountId, isAdmin: false, scopes: ['*'], credential: 'session' },
    })
    try {
      return await call(from, token, what)
    } finally {
      callers.delete(token)
    }
  }
}

/** A request from the same client, without its cookies and everything else that was meant for the other path. */
function requestLike(
  from: IncomingMessage,
  token: string | undefined,
  { method, body, language }: Omit<Asked, 'path'>,
): IncomingMessage {
  const req = new IncomingMessage(from.socket)
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const { authorization, 'x-forwarded-for': forwardedFor } = from.headers
  const credential = token === undefined ? authorization : `Bearer ${token}`
  req.method = method
  req.headers = {
    ...(credential !== undefined && { authorization: credential }),
    ...(language !== undefined && { 'accept-language': language }),
    ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    ...(bytes && { 'content-type': 'application/json', 'content-length': `${bytes.length}` }),
  }
  if (bytes) req.push(bytes)
  req.push(null)
  // Otherwise Node takes the request for an aborted one, and closes the connection.
  req.complete = true
  return req
}

/** As JSON; undefined if it is nothing, or something else. */
function textOf({ body, headers = {} }: Reply): string | undefined {
  return 'Content-Type' in headers ? undefined : JSON.stringify(body)
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
