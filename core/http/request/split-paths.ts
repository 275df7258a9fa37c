import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReadyAnswer, RequestHead } from '../../lib/request-head.ts'

/** Answers a request, now or later. */
export interface Handler {
  (req: IncomingMessage, res: ServerResponse): void | Promise<void>
  /** Returns the answer to a GET and notes the visit; undefined, with nothing done, if no answer is ready. */
  ready?(head: RequestHead): ReadyAnswer | undefined
}

/**
 * Sends each path where it belongs: `/api/v2` and `/api/v2/…` to `mounts['api/v2']`, if there is one, `/api` and other `/api/…` to
 * `mounts.api`, everything else, such as `/apis` or `/API`, to `follow`. A mount may have three segments, too. The bare `/` is the
 * mount named ''. For a short code, a look at its first character is mostly enough.
 */
export function splitPaths(follow: Handler, mounts: Readonly<Record<string, Handler>>): Handler {
  const byKey = new Map(Object.entries(mounts))
  const first = [...byKey.keys()].flatMap(firstCharactersOf)
  const firstCharacters = new Set([...first, ...Array.from('/%', it => it.charCodeAt(0))])
  return choosing(({ url = '/' }) => {
    if (!firstCharacters.has(url.charCodeAt(1))) return follow
    const [, three = url, two = url, one = url] = segments.exec(url) ?? []
    const mount = byKey.get(three) ?? byKey.get(two) ?? byKey.get(one) ?? follow
    return mount === follow && otherSpelling.test(url) ? (mounts.api ?? follow) : mount
  })
}

/** `/api` in a spelling that is not served. Such a request is no visitor's, so the API refuses it in its own form. */
const otherSpelling = /^\/+(a|%61)(p|%70)(i|%69)(?=[/?#]|$)/

/** Has each request answered by the handler that is chosen for it. */
export function choosing(choose: (head: RequestHead) => Handler): Handler {
  const handler: Handler = (req, res) => choose(req)(req, res)
  return Object.assign(handler, { ready: (head: RequestHead) => choose(head).ready?.(head) })
}

/** The characters that may follow the first slash of a mount's path; after a bare `/`, nothing or a query. */
function firstCharactersOf(segment: string): readonly number[] {
  return segment === '' ? [Number.NaN, '?'.charCodeAt(0)] : [segment.charCodeAt(0)]
}

/** The first three segments of a path, the first two, and the first alone. */
const segments = /^\/(?!\/)((([^/?#]*)(?:\/[^/?#]*)?)(?:\/[^/?#]*)?)/
