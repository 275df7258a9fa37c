import { isRefusal, type Json, type Refusal, refusalOf, z } from '../../../core/plugin.ts'
import { json, problem, type Said } from './answers.ts'
import { type Asked, textIn } from './asked.ts'
import { defaultHost } from './called-link.ts'
import { readAll } from './read-all.ts'

const domain = z.object({
  id: z.string().optional(),
  host: z.string(),
  rootUrl: z.string().nullish(),
  notFoundUrl: z.string().nullish(),
})
type Domain = z.output<typeof domain>
const one = z.object({ data: domain })

const noRedirects = {
  baseUrlRedirect: null,
  regular404Redirect: null,
  invalidShortUrlRedirect: null,
}

export async function listDomains(asked: Asked): Promise<Said> {
  const own = await readAll(asked.call, '/domains', domain)
  if (isRefusal(own)) return own
  const shared = await readAll(asked.call, '/domains/shared', domain)
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
    const all = await readAll(asked.call, path, domain)
    if (isRefusal(all)) return all
    if (all.some(it => it.host === host)) return true
  }
  return false
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
  const all = await readAll(call, '/domains', domain)
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
