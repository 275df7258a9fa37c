import { createHmac } from 'node:crypto'
import { isSame } from '../../../accounts/digest.ts'
import {
  cursorText,
  isPageQuery,
  type listOf,
  type PageQuery,
  pageLink,
  wrongCursor,
} from '../../../plugin/lists/paging.ts'
import type { Caller } from '../../../plugin.ts'
import { invalid, type Rejection } from '../../send/problem.ts'
import type { Reply, Route } from '../route/route.ts'

/** A checked request to an endpoint. */
export interface PageRequest {
  readonly route: Route
  /** Absent where anyone may call. */
  readonly caller: Pick<Caller, 'accountId'> | undefined
  readonly query: unknown
  /** The query as it was sent. */
  readonly search: string
}

/** What all lists that are read in pages have in common. */
export interface Paging {
  /** Refuses a cursor that this list did not give to this account with these filters and this order. */
  check(request: PageRequest): Rejection | undefined
  /** Signs the cursor of an answer, puts it into `next`, and repeats the links in a `Link` header (RFC 8288). */
  finish(request: PageRequest, reply: Reply): Reply
}

/** `secret` signs cursors, so that nobody comes to rely on what is in them. */
export function createPaging(secret: Buffer): Paging {
  const sign = ({ route, caller, query }: PageRequest, text: string) => {
    const { page, perPage, cursor, ...filters } = query as PageQuery
    const list = JSON.stringify([route.name, caller?.accountId, Object.entries(filters).sort()])
    return createHmac('sha256', secret).update(`cursor ${text} ${list}`).digest('base64url')
  }

  return {
    check(request) {
      const { route, query, search } = request
      if (!isPageQuery(route.query)) return undefined
      const { cursor } = query as PageQuery
      if (!cursor) return undefined
      if (new URLSearchParams(search).has('page')) return both
      const isOurs = isSame(cursor.signature, sign(request, cursorText(cursor)))
      return isOurs ? undefined : wrong
    },

    finish(request, reply) {
      if (!isPageQuery(request.route.query) || !isList(reply.body)) return reply
      const { meta, links, ...rest } = reply.body
      const text = meta.nextCursor
      const nextCursor = text && `${text}.${sign(request, text)}`
      const [path = ''] = links.first.split('?')
      const next = nextCursor
        ? pageLink(path, request.query as PageQuery, { cursor: nextCursor })
        : links.next
      const body = { ...rest, meta: { ...meta, nextCursor }, links: { ...links, next } }
      return { ...reply, body, headers: { ...reply.headers, Link: linkHeader(body.links) } }
    },
  }
}

const wrong = invalid([{ field: 'cursor', code: 'invalid', message: wrongCursor }])
const both = invalid([
  { field: 'page', code: 'invalid', message: 'Send a page or a cursor, not both.' },
])

type List = ReturnType<typeof listOf>

function isList(body: unknown): body is List {
  return typeof body === 'object' && body !== null && 'meta' in body && 'links' in body
}

function linkHeader(links: Readonly<Record<string, string | null>>): string {
  return Object.entries(links)
    .flatMap(([rel, target]) => (target === null ? [] : [`<${target}>; rel="${rel}"`]))
    .join(', ')
}
