import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Redirect } from './redirect.ts'

/**
 * A response that can take its head as one text. `writeHead` looks at every header of every answer anew, which
 * takes longer than everything else that we do for a redirect.
 */
export interface ReadyResponse extends ServerResponse {
  /** Returns false, with nothing done, if this answer needs other headers than most. */
  takeHead(head: string): boolean
}

/** The `ServerResponse` class for a server that keeps idle connections for `keepAliveMs`. */
export function readyResponse(keepAliveMs: number): typeof ServerResponse {
  const tail = createHeadTail(keepAliveMs)
  return class<Request extends IncomingMessage>
    extends ServerResponse<Request>
    implements ReadyResponse
  {
    /** Where `node:http` has kept its joined head since version 0.1; many programs read it. */
    declare _header: string | null

    takeHead(head: string): boolean {
      if (!this.shouldKeepAlive) return false
      this._header = head + tail()
      // Should `node:http` ever keep its head elsewhere, this is false.
      return this.headersSent
    }
  }
}

/** Answer with a redirect that is ready. */
export function sendRedirect(res: ServerResponse, redirect: Redirect): void {
  if (!takeHead(res, 302, redirect.head)) res.writeHead(302, redirect.headers)
  res.end()
}

/** Give an answer its status and a head that is ready; false, with nothing done, if it cannot take one. */
export function takeHead(res: ServerResponse, status: number, head: string): boolean {
  if (!isReady(res) || !res.takeHead(head)) return false
  res.statusCode = status
  return true
}

/** Add raw headers to an answer, whoever makes it. */
export function setHeaders(res: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) {
    res.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
  }
}

function isReady(res: ServerResponse): res is ReadyResponse {
  return 'takeHead' in res
}

/** What `node:http` itself adds to every answer on a connection that stays open, worked out once a second. */
export function createHeadTail(keepAliveMs: number): () => string {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`
  let second = Number.NaN
  let headers = ''
  return () => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) {
      second = now
      headers = `Date: ${new Date(now * 1_000).toUTCString()}\r\n${connection}`
    }
    return headers
  }
}
