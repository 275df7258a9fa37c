import { isRefusal, type MountRequest, type Refusal, refusalOf, z } from '../../../core/plugin.ts'
import { type Link, linksIn, statsOf, timestampOf } from './called-link.ts'
import { needsFormat, type Said } from './said.ts'

const longestPage = 100
/** Links in one answer. YOURLS has no bound; programs that read all ask again from where they were. */
const most = 1_000

/** Filters of YOURLS, as orders of Linnet. */
const orders: Readonly<Record<string, string>> = {
  top: '-visits',
  bottom: 'visits',
  last: '-created_at',
}

export async function stats({ input, call }: MountRequest): Promise<Said | Refusal> {
  const limit = Math.min(most, numberIn(input.limit, 10))
  const isRandom = input.filter === 'rand'
  const found = isRandom
    ? await someOf(call, limit)
    : await read(call, orders[input.filter ?? 'top'] ?? '-visits', numberIn(input.start, 0), limit)
  if (isRefusal(found)) return found
  const totals = await totalsOf(call)
  if (isRefusal(totals)) return totals
  const shown = found.map((link, index) => [`link_${index + 1}`, statsOf(link)])
  const body = {
    links: Object.fromEntries(shown),
    stats: totals,
    statusCode: '200',
    message: 'success',
  }
  return { status: 200, simple: needsFormat, body }
}

export async function dbStats({ call }: MountRequest): Promise<Said | Refusal> {
  const totals = await totalsOf(call)
  if (isRefusal(totals)) return totals
  const body = { 'db-stats': totals, statusCode: '200', message: 'success' }
  return { status: 200, simple: needsFormat, body }
}

/** As the plugin "API List Extended" answers. */
export async function list({ input, call }: MountRequest): Promise<Said | Refusal> {
  const key = { timestamp: 'created_at', clicks: 'visits', title: 'title' }[input.sortby ?? '']
  const sign = input.sortorder?.toUpperCase() === 'ASC' ? '' : '-'
  const limit = Math.min(most, numberIn(input.perpage, 50))
  const start = numberIn(input.offset, 0)
  const search = (input.query ?? '').trim().slice(0, 200)
  const found = await read(call, `${sign}${key ?? 'created_at'}`, start, limit, search)
  if (isRefusal(found)) return found
  const fields = (input.fields ?? '')
    .split(',')
    .map(it => it.trim())
    .filter(it => it !== '')
  const isShown = (name: string) =>
    name === 'keyword' || fields.length === 0 || fields.includes(name)
  const result = found.map(link =>
    Object.fromEntries(Object.entries(rowOf(link)).filter(([name]) => isShown(name))),
  )
  return { status: 200, simple: needsFormat, body: { statusCode: 200, message: 'success', result } }
}

/** As the plugin by which Shlink imports from YOURLS answers. */
export async function shlinkList({ call }: MountRequest): Promise<Said | Refusal> {
  const all: Link[] = []
  for (let start = 0; ; start += most) {
    const found = await read(call, 'created_at', start, most)
    if (isRefusal(found)) return found
    all.push(...found)
    if (found.length < most || all.length >= 10 * most) break
  }
  const result = all.map(rowOf)
  return { status: 200, simple: needsFormat, body: { statusCode: 200, message: 'success', result } }
}

function rowOf(link: Link) {
  const { shortCode: keyword, originalUrl: url, title, visits } = link
  return {
    keyword,
    url,
    timestamp: timestampOf(link),
    title: title ?? '',
    ip: '',
    clicks: `${visits.total}`,
  }
}

type Call = MountRequest['call']

/** Links from a place in an order on. */
async function read(
  call: Call,
  sort: string,
  start: number,
  limit: number,
  search = '',
): Promise<readonly Link[] | Refusal> {
  const found: Link[] = []
  // No more than was asked for: some links are long.
  const perPage = start % limit === 0 ? Math.min(longestPage, limit) : longestPage
  const from = start % perPage
  for (let page = Math.floor(start / perPage) + 1; found.length < from + limit; page += 1) {
    const query = new URLSearchParams({ sort, per_page: `${perPage}`, page: `${page}` })
    if (search !== '') query.set('search', search)
    const some = linksIn(await call('GET', `/links?${query}`))
    if (isRefusal(some)) return some
    found.push(...some.data)
    if (some.data.length < perPage) break
  }
  return found.slice(from, from + limit)
}

/** Links of one page among all, in no order. */
async function someOf(call: Call, limit: number): Promise<readonly Link[] | Refusal> {
  const first = linksIn(await call('GET', '/links?per_page=1'))
  if (isRefusal(first)) return first
  const pages = Math.max(1, Math.ceil(first.meta.total / longestPage))
  const start = Math.floor(Math.random() * pages) * longestPage
  const page = await read(call, '-created_at', start, longestPage)
  if (isRefusal(page)) return page
  return page
    .map(link => ({ link, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ link }) => link)
    .slice(0, limit)
}

const counted = z.object({
  data: z.object({ totals: z.object({ visits: z.number() }), undated: z.number() }),
})

async function totalsOf(call: Call) {
  const links = linksIn(await call('GET', '/links?per_page=1'))
  if (isRefusal(links)) return links
  const visits = await call('GET', '/analytics?interval=all')
  if (visits.status !== 200) return refusalOf(visits)
  const { totals, undated } = counted.parse(visits.body).data
  // The clicks of links have those without a date, too.
  return { total_links: `${links.meta.total}`, total_clicks: `${totals.visits + undated}` }
}

function numberIn(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : otherwise
}
