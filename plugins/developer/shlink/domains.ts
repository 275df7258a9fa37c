import {
  isRefusal,
  type Json,
  type MountRequest,
  type Refusal,
  refusalOf,
  z,
} from '../../../core/plugin.ts'
import { json, problem, type Said } from './answers.ts'
import { type Asked, textIn } from './asked.ts'
import { defaultHost } from './called-link.ts'

type Call = MountRequest['call']

const domain = z.object({
  id: z.string().optional(),
  host: z.string(),
  rootUrl: z.string().nullish(),
  notFoundUrl: z.string().nullish(),
})
type Domain = z.output<typeof domain>
const one = z.object({ data: domain })
const listed = z.object({
  data: z.array(domain),
  meta: z.object({ nextCursor: z.string().nullable() }).optional(),
})

const noRedirects = {
  baseUrlRedirect: null,
  regular404Redirect: null,
  invalidShortUrlRedirect: null,
}

export async function listDomains(asked: Asked): Promise<Said> {
  const own = await domainsAt(asked.call, '/domains')
  if (isRefusal(own)) return own
  const shared = await domainsAt(asked.call, '/domains/shared')
  if (isRefusal(shared)) return shared
  const usual = { domain: defaultHost(asked), isDefault: true, redirects: noRedirects }
  const others = [...own, ...shared].map(it => ({
    ...{ domain: it.host, isDefault: false, redirects: redirectsOf(it) },
  }))
  return json({ domains: { data: [usual, ...others], defaultRedirects: noRedirects } })
}

/** Whether an account can have links on a host. */
export async function hasDomain(asked: Asked, host: string): Promise<boolean | Refusal> {
  if (host === defaultHost(asked)) return true
  for (const path of ['/domains', '/domains/shared']) {
    const all = await domainsAt(asked.call, path)
    if (isRefusal(all)) return all
    if (all.some(it => it.host === host)) return true
  }
  return false
}

/** Where the plugin for domains is off, there are none. */
async function domainsAt(call: Call, path: string): Promise<readonly Domain[] | Refusal> {
  const all: Domain[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = cursor ? `?${new URLSearchParams({ cursor })}` : ''
    const called = await call('GET', `${path}${query}`)
    if (called.status === 404) return all
    if (called.status !== 200) return refusalOf(called)
    const { data, meta } = listed.parse(called.body)
    all.push(...data)
    cursor = meta?.nextCursor ?? null
  }
  return all
}

/** Linnet has one address for all that leads to no link. */
function redirectsOf({ rootUrl = null, notFoundUrl = null }: Domain) {
  return {
    baseUrlRedirect: rootUrl,
    regular404Redirect: notFoundUrl,
    invalidShortUrlRedirect: notFoundUrl,
  }
}

export async function changeRedirects(asked: Asked): Promise<Said> {
  const { call, body } = asked
  const name = textIn(asked, 'domain')
  if (name === undefined) {
    const invalidElements = ['domain']
    return problem(asked, 400, 'invalid-data', 'Give the domain.', { invalidElements })
  }
  const all = await domainsAt(call, '/domains')
  if (isRefusal(all)) return all
  const found = all.find(({ host }) => host === name.toLowerCase())
  if (!found?.id) {
    const detail = `Domain with authority "${name}" could not be found among those whose redirects you can change`
    return problem(asked, 404, 'domain-not-found', detail, { authority: name })
  }
  const { baseUrlRedirect: rootUrl } = body
  const notFoundUrl = body.invalidShortUrlRedirect ?? body.regular404Redirect
  const wished: Readonly<Record<string, Json | undefined>> = { rootUrl, notFoundUrl }
  const change = Object.fromEntries(
    Object.entries(wished).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
  const called = await call('PATCH', `/domains/${found.id}`, change)
  if (called.status !== 200) return refusalOf(called)
  return json(redirectsOf(one.parse(called.body).data))
}
