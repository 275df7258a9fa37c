import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request, now or later. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/**
 * Send each path to where it belongs: `/api` and `/api/…` to `mounts.api`, everything else, as `/apis`,
 * `/API` or `//api`, to `follow`. A short code mostly costs one look at its first character.
 */
export function splitPaths(follow: Handler, mounts: Readonly<Record<string, Handler>>): Handler {
  const bySegment = new Map(Object.entries(mounts))
  const firstCharacters = new Set([...bySegment.keys()].map(segment => segment.charCodeAt(0)))
  return (req, res) => {
    const url = req.url ?? '/'
    if (!firstCharacters.has(url.charCodeAt(1))) return follow(req, res)
    return (bySegment.get(firstSegment(url)) ?? follow)(req, res)
  }
}

function firstSegment(url: string): string {
  const length = url.slice(1).search(/[/?#]/)
  return length === -1 ? url.slice(1) : url.slice(1, 1 + length)
}
