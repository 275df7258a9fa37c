import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { packChunks } from '../../lib/net/pack-chunks.ts'
import { mostHeaders, newRequestId } from '../../lib/request-head.ts'
import { createHeadTail, readyResponse } from '../../links/follow/ready-response.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import { openFastLane } from '../fast-lane/fast-lane.ts'
import { pageOfFailure } from '../pages/pages.ts'
import type { PageSender } from '../pages/send-page.ts'
import { mayTakeLonger } from '../request/slow-bodies.ts'
import { type Handler, splitPaths } from '../request/split-paths.ts'
import { send, sendProblem } from '../send/send.ts'
import {
  type ConnectionHealth,
  type ConnectionLimits,
  limitConnections,
} from './limit-connections.ts'
import { type MostWaiting, oneAtATime } from './one-at-a-time.ts'
import { answerBrokenRequest, checkHead, isForServer } from './refuse-request.ts'
import { type HostParts, splitHosts } from './split-hosts.ts'

/** Which handler answers what. */
export interface Answering {
  /** Follows a short link, at every path that is not a mount's. */
  readonly follow: Handler
  /** By first path segment, such as `{ api, health }`. */
  readonly mounts: Readonly<Record<string, Handler>>
  /** Hosts that have handlers of their own instead. */
  readonly hosts?: HostParts
}

export interface ServerParts extends Answering {
  readonly pageSender: PageSender
  readonly log: Log
  readonly limits?: Partial<Limits>
  /** Whether redirects that are ready go past `node:http`. */
  readonly fastLane: boolean
}

/** How long a client may take, how much it may send before anyone looks at it, and how much it may leave unread. */
export interface Limits extends ConnectionLimits {
  /** From the connection, or the request before, to the end of the headers. */
  readonly headersMs: number
  /** To the end of the body. */
  readonly requestMs: number
  /** How often Node looks for clients that are too slow. */
  readonly checkEveryMs: number
  /** Longer than load balancers keep a connection; otherwise they would write into closed ones. */
  readonly keepAliveMs: number
  readonly maxHeaderBytes: number
  readonly mostWaiting: MostWaiting
}

const usualLimits: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  keepAliveMs: 75_000,
  maxHeaderBytes: 16 * 1024,
  mostWaiting: { each: 64, all: memoryShares.isTight ? 500 : 2_000 },
  maxConnections: Number.POSITIVE_INFINITY,
  maxUnsentBytes: 64 * 1024 * 1024,
  readMs: 30_000,
  trustedProxies: { kind: 'none' },
}

export interface Server {
  /** Answers one request, however it came. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void
  /** Lets other handlers answer from the next request on; requests under way go on as they began. */
  answerWith(answering: Answering): void
  /**
   * Listens on a port, 0 for any free one, or on the port that another server holds; returns the port. Rejects
   * if the port is taken. If it `isShared`, other processes may listen on it too.
   */
  listen(on: number | NetServer, host?: string, isShared?: boolean): Promise<number>
  /**
   * Takes no new connections, lets requests under way finish, and cuts off what is left after `deadlineMs`.
   * True if nothing had to be cut off.
   */
  stop(deadlineMs: number): Promise<boolean>
  /** What became of clients that took more than there is. */
  connections(): ConnectionHealth
}

/** As much more of a body is read before somebody wants it. */
const unreadBytes = 16 * 1024

const unexpected = refuse(
  'expectation_failed',
  'The only supported value of `Expect` is 100-continue.',
  417,
)

const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * The HTTP server. What happens to each request before the handler that answers it stands in `http` and `handle`, in its
 * order. Whatever a handler throws is logged and answered with 500.
 */
export function createServer(parts: ServerParts): Server {
  const { pageSender, log } = parts
  const limits = { ...usualLimits, ...parts.limits }
  let dispatch: Handler
  let unwatch: (() => void) | undefined

  const http = createHttpServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    highWaterMark: unreadBytes,
    ServerResponse: readyResponse(limits.keepAliveMs),
    // We check it ourselves, and say what is wrong.
    requireHostHeader: false,
  })
  // Node makes many objects for each header, and keeps no more than these: one too many tells that there were too many.
  http.maxHeadersCount = mostHeaders + 1
  const connections = limitConnections(http, limits, log)
  const tooMany = () => connections.noteCutOff('sent too many requests without waiting for answers')
  openFastLane(http, {
    ready: parts.fastLane ? head => dispatch.ready?.(head) : undefined,
    tail: createHeadTail(limits.keepAliveMs),
    maxBytes: limits.maxHeaderBytes / 2,
    cutOff(socket) {
      tooMany()
      socket.destroy()
    },
  })
  http.on('clientError', (error, socket) => {
    if (!mayTakeLonger(error, socket)) answerBrokenRequest(error, socket, newRequestId())
  })
  http.on('checkExpectation', (_, res) => turnAway(res, unexpected))
  http.on('request', oneAtATime(handle, limits.mostWaiting, tooMany))
  http.on('request', req => {
    if (req.socket.destroyed) return
    packChunks(req, () => {
      connections.noteCutOff('sent a body in too many small chunks')
      req.socket.destroy()
    })
  })

  function handle(req: IncomingMessage, res: ServerResponse): void {
    try {
      const refusal = checkHead(req)
      if (refusal) turnAway(res, refusal)
      else if (isForServer(req)) send(res, 204, { Allow: everyMethod })
      else dispatch(req, res)?.catch(error => fail(req, res, error))
    } catch (error) {
      fail(req, res, error)
    }
  }

  /** By host, then by path. */
  function answerWith({ follow, mounts, hosts }: Answering): void {
    const byPath = splitPaths(follow, mounts)
    unwatch?.()
    dispatch = byPath
    unwatch = hosts?.watch(handlers => {
      dispatch = splitHosts(byPath, handlers, hosts)
    })
  }
  answerWith(parts)

  function turnAway(res: ServerResponse, refusal: Refusal): void {
    sendProblem(res, refusal, newRequestId(), { Connection: 'close' })
  }

  function fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    const requestId = newRequestId()
    log.error('A request failed', { requestId, error })
    if (res.headersSent) res.destroy()
    else pageSender.page(req, res, pageOfFailure(error), requestId)
  }

  return {
    handle,
    answerWith,
    async listen(on, host, isShared = false) {
      if (typeof on === 'number') http.listen({ port: on, host, reusePort: isShared })
      else http.listen(on.ref())
      await once(http, 'listening')
      return (http.address() as AddressInfo).port
    },
    stop: deadlineMs =>
      new Promise(resolve => {
        let clean = true
        const sweep = setInterval(() => http.closeIdleConnections(), 20)
        const deadline = setTimeout(() => {
          clean = false
          http.closeAllConnections()
        }, deadlineMs)
        http.close(() => {
          clearInterval(sweep)
          clearTimeout(deadline)
          resolve(clean)
        })
        connections.closeSilent()
      }),
    connections: connections.health,
  }
}
