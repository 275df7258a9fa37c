import { listOf } from '../paging.ts'
import type { Reply } from './route.ts'

export { listSchema, pageQuery, sliceOf } from '../paging.ts'

/** Answer with one page of a list: its links go into the `Link` header too, RFC 8288. */
export function pageOf(...list: Parameters<typeof listOf>): Reply {
  const body = listOf(...list)
  const links = Object.entries(body.links).flatMap(([rel, target]) =>
    target === null ? [] : [`<${target}>; rel="${rel}"`],
  )
  return { body, headers: { Link: links.join(', ') } }
}
