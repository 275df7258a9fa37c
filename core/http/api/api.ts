import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import polka, { type Request } from 'polka'
import { newRequestId } from '../../lib/request-head.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import { internal, noOperation, notAllowed, notAsWritten, type Rejection } from '../send/problem.ts'
import { apiHeaders, type Headers, send, sendProblem, sendStream } from '../send/send.ts'
import { type CorsOrigins, createCors } from './access/cors.ts'
import { type AnswerParts, createAnswer, tookTooLong } from './answer.ts'
import { failureOf, isForLog } from './failure.ts'
import type { Reply, Route } from './route/route.ts'
import { type Address, checkRoutes, paramsIn, routeTable } from './route/route-table.ts'
import type { RunningWork } from './running-work.ts'

export interface ApiParts extends AnswerParts {
  /** What every path begins with, such as `/api/v1`. */
  readonly base: string
  readonly routes: readonly Route[]
  /** Origins whose pages may call; absent if only our own may. */
  readonly corsOrigins?: CorsOrigins | undefined
  readonly log: Log
  /**
   * Headers of every answer: `setHeader` would make `node:http` look at all headers of an answer one by one, which takes
   * a tenth of the time of a new link.
   */
  readonly headers?: Headers
  /** Tracks each request until it is answered. */
  readonly track?: RunningWork['track']
}

/**
 * Serves routes. All that happens to a request, in this order: headers for pages of other origins (CORS), address (404),
 * method (405, or the answer to `OPTIONS`), credential (401), scope (403), body and query (400, 413, 415, 422), cursor
 * (422), fresh sign-in (403), password (422), `Idempotency-Key`, the route's handler, the next page, `ETag` (304), what is left of the rate
 * limit, and the answer is sent. The steps from the credential to the rate limit are `createAnswer`. Throws when the
 * routes have a mistake; a request never makes it throw.
 */
export function createApi(parts: ApiParts): (req: IncomingMessage, res: ServerResponse) => void {
  const { base, routes, log, headers: always = {}, track = work => work } = parts
  checkRoutes(routes)
  const answer = createAnswer(parts)
  const cors = createCors(parts.corsOrigins ?? [])
  const sendRefusal = (
    res: ServerResponse,
    refusal: Rejection,
    requestId: string = newRequestId(),
    headers: Headers = {},
  ) => sendProblem(res, refusal, requestId, { ...always, ...headers })

  const serve = async (address: Address, req: Request, res: ServerResponse) => {
    const requestId = newRequestId()
    const route = address.methods.get(req.method)
    if (!route) return refuseMethod(address, req, res, requestId)
    try {
      const { reply, limit, isDry } = await answer(route, req, requestId)
      const told = { ...limit, ...(isDry && { 'Dry-Run': 'true' }) }
      if (reply === tookTooLong) log.warn(`${route.name} took too long`, { requestId })
      if (isRefusal(reply)) sendRefusal(res, reply, requestId, told)
      else {
        const headers = { ...always, ...told, ...reply.headers }
        await sendReply(res, route, { ...reply, headers }, requestId)
      }
    } catch (error) {
      if (isForLog(error)) log.error(`${route.name} failed`, { requestId, error })
      sendRefusal(res, failureOf(error), requestId)
    }
  }

  /** `OPTIONS` lists the allowed methods, and tells pages of other origins what they may send, if they may call. */
  function refuseMethod({ allow }: Address, req: Request, res: ServerResponse, requestId: string) {
    const headers = { Allow: allow }
    if (req.method !== 'OPTIONS') return sendRefusal(res, notAllowed, requestId, headers)
    const preflight = { ...headers, ...cors.preflight(req, allow) }
    send(res, 204, { ...always, ...apiHeaders(requestId), ...preflight })
  }

  const app = polka({
    onNoMatch: ({ path }, res) =>
      sendRefusal(res, /%|\/\//.test(path) ? notAsWritten : noOperation),
    // The router's own handler would show the message to the client.
    onError: (error, _, res) => {
      const requestId = newRequestId()
      log.error('A request failed', { requestId, error })
      sendRefusal(res, internal, requestId)
    },
  })
  for (const address of routeTable(routes, base)) {
    app.all(address.pattern, (req, res) => {
      // The router mixes the parameters of all addresses that a path belongs to.
      req.params = paramsIn(address, req.path)
      return track(serve(address, req, res))
    })
  }
  const handler = app.handler as (req: IncomingMessage, res: ServerResponse) => void
  return (req, res) => {
    cors.allow(req, res)
    handler(req, res)
  }
}

/** A cache may keep what has an `ETag`, for its user alone, and asks each time whether it is still the same. */
const revalidated: Headers = { 'Cache-Control': 'private, no-cache' }

async function sendReply(
  res: ServerResponse,
  route: Route,
  { body, json, headers = {}, status = route.status }: Reply,
  requestId: string,
): Promise<void> {
  const isRevalidated = route.method === 'GET' && 'ETag' in headers
  const all = { ...apiHeaders(requestId), ...(isRevalidated && revalidated), ...headers }
  if (body === undefined) send(res, status, all)
  else if (body instanceof Readable) await sendStream(res, status, all, body)
  else if ('Content-Type' in headers && (typeof body === 'string' || body instanceof Uint8Array)) {
    send(res, status, all, body)
  } else {
    const type = { 'Content-Type': 'application/json' }
    send(res, status, { ...type, ...all }, json ?? JSON.stringify(body))
  }
}
