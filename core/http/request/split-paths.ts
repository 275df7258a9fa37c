import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readiness } from '../../lib/ready-answer.ts'
import type { RequestHead } from '../../lib/request-head.ts'

/** Answers a request, now or later. */
export interface Handler {
  (req: IncomingMessage, res: ServerResponse): void | Promise<void>
  /** What a GET is answered where that is ready, noted as a visit; undefined, and nothing done, elsewhere. */
  ready?(head: RequestHead): Readiness
}

/**
 * Send each path to where it belongs: `/api` and `/api/…` to `mounts.api`, everything else, as `/apis`,
 * `/API` or `//api`, to `follow`. The bare `/` is the mount named ''. A short code mostly costs one look at
 * its first character.
 */
export function splitPaths(follow: Handler, mounts: Readonly<Record<string, Handler>>): Handler {
  const bySegment = new Map(Object.entries(mounts))
  const firstCharacters = new Set([...bySegment.keys()].flatMap(firstCharactersOf))
  return choosing(({ url = '/' }) => {
    if (!firstCharacters.has(url.charCodeAt(1))) return follow
    return bySegment.get(firstSegment(url)) ?? follow
  })
}

/** Has each request answered by the handler that is chosen for it. */
export function choosing(choose: (head: RequestHead) => Handler): Handler {
  const handler: Handler = (req, res) => choose(req)(req, res)
  return Object.assign(handler, { ready: (head: RequestHead) => choose(head).ready?.(head) })
}

/** What may follow the first slash of a path that is the mount's; after a bare `/`, nothing or a query. */
function firstCharactersOf(segment: string): readonly number[] {
  return segment === '' ? [Number.NaN, '?'.charCodeAt(0)] : [segment.charCodeAt(0)]
}

function firstSegment(url: string): string {
  return /^\/([^/?#]*)/.exec(url)?.[1] ?? url
}
