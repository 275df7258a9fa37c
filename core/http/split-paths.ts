import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request, now or later. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/**
 * Send each path to where it belongs: `/api` and `/api/…` to `mounts.api`, everything else, as `/apis`,
 * `/API` or `//api`, to `follow`. The bare `/` is the mount named ''. A short code mostly costs one look at
 * its first character.
 */
export function splitPaths(follow: Handler, mounts: Readonly<Record<string, Handler>>): Handler {
  const bySegment = new Map(Object.entries(mounts))
  const firstCharacters = new Set([...bySegment.keys()].flatMap(firstCharactersOf))
  return (req, res) => {
    const url = req.url ?? '/'
    if (!firstCharacters.has(url.charCodeAt(1))) return follow(req, res)
    return (bySegment.get(firstSegment(url)) ?? follow)(req, res)
  }
}

/** What may follow the first slash of a path that is the mount's; after a bare `/`, nothing or a query. */
function firstCharactersOf(segment: string): readonly number[] {
  return segment === '' ? [Number.NaN, '?'.charCodeAt(0)] : [segment.charCodeAt(0)]
}

function firstSegment(url: string): string {
  return /^\/([^/?#]*)/.exec(url)?.[1] ?? url
}
