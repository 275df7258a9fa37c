import {
  type Called,
  type MountRequest,
  type Refusal,
  refusalOf,
  refuse,
  z,
} from '../../../core/plugin.ts'

/** The members of a link in the API that YOURLS has too. */
const link = z.object({
  id: z.string(),
  shortCode: z.string(),
  shortUrl: z.string(),
  originalUrl: z.string(),
  title: z.string().nullable(),
  createdAt: z.string(),
  visits: z.object({ total: z.number() }),
})
export type Link = z.output<typeof link>

const one = z.object({ data: link })
const listed = z.object({ data: z.array(link), meta: z.object({ total: z.number() }) })

type Call = MountRequest['call']

/** The link of an answer of the API, or why there is none. */
export function linkIn(called: Called): Link | Refusal {
  return called.status < 300 ? one.parse(called.body).data : refusalOf(called)
}

/** A page of links, or why there is none. */
export function linksIn(called: Called): z.output<typeof listed> | Refusal {
  return called.status === 200 ? listed.parse(called.body) : refusalOf(called)
}

/** Finds a link of the account by a keyword, or by a whole short URL, perhaps of a custom domain. */
export async function findLink(call: Call, shorturl: string): Promise<Link | Refusal> {
  const url = URL.parse(shorturl)
  const [code, host] = url?.host ? [url.pathname.slice(1), url.host] : [shorturl, '']
  if (code === '' || code.length > 255 || host.length > 253) return notFound
  const query = new URLSearchParams({ short_code: decoded(code), ...(host && { domain: host }) })
  const found = linkIn(await call('GET', `/links/lookup?${query}`))
  // A host that is not ours has no links.
  return 'kind' in found && found.status === 422 ? notFound : found
}

const notFound = refuse('not_found', 'Error: short URL not found', 404)

function decoded(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}

/** As PHP writes moments, in UTC. */
export function timestampOf({ createdAt }: Pick<Link, 'createdAt'>): string {
  return createdAt.replace('T', ' ').slice(0, 19)
}

/** A link as lists and statistics of YOURLS show it: numbers are texts there. */
export function statsOf(it: Link) {
  const { shortUrl: shorturl, originalUrl: url, title, visits } = it
  // YOURLS has the address of whoever made the link; Linnet stores none.
  return {
    ...{ shorturl, url, title: title ?? '', timestamp: timestampOf(it), ip: '' },
    clicks: `${visits.total}`,
  }
}
