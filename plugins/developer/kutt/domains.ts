import { isRefusal, type MountRequest, z } from '../../../core/plugin.ts'
import { failure, json, refusedBy, type Said } from './answers.ts'
import { type Asked, withScheme } from './asked.ts'
import { publicIdIn, uuidOf } from './uuid.ts'

const domain = z.object({
  id: z.string(),
  host: z.string(),
  rootUrl: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
const one = z.object({ data: domain })
const listed = z.object({
  data: z.array(domain),
  meta: z.object({ nextCursor: z.string().nullable() }),
})
const profile = z.object({ data: z.object({ email: z.string() }) })

/** Who has the key. Kutt answers the key, too, which the client knows already. */
export async function showUser({ call, headers }: Asked): Promise<Said> {
  const called = await call('GET', '/profile')
  if (called.status !== 200) return refusedBy(called)
  const domains = await allDomains(call)
  if (isRefusal(domains)) return domains
  const { email } = profile.parse(called.body).data
  return json({ apikey: headers['x-api-key'] ?? null, email, domains })
}

/** Where the plugin for domains is off, there are none. */
async function allDomains(call: MountRequest['call']) {
  const all: z.output<typeof domain>[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = new URLSearchParams({ per_page: '100', ...(cursor && { cursor }) })
    const called = await call('GET', `/domains?${query}`)
    if (called.status === 404) break
    if (called.status !== 200) return refusedBy(called)
    const { data, meta } = listed.parse(called.body)
    all.push(...data)
    cursor = meta.nextCursor
  }
  return all.map(shown)
}

function shown({ id, host, rootUrl, createdAt, updatedAt }: z.output<typeof domain>) {
  return {
    ...{ id: uuidOf(id), address: host, banned: false, homepage: rootUrl },
    ...{ created_at: createdAt, updated_at: updatedAt },
  }
}

export async function addDomain({ call, body }: Asked): Promise<Said> {
  const { address, homepage } = body
  if (typeof address !== 'string' || address.trim() === '') {
    return failure(400, 'Domain is not valid.')
  }
  const rootUrl = withScheme(homepage) || null
  const host = address.trim().replace(/^https?:\/\//i, '')
  const called = await call('POST', '/domains', { host, rootUrl })
  return called.status === 201 ? json(shown(one.parse(called.body).data)) : refusedBy(called)
}

export async function deleteDomain({ call, uuid }: Asked): Promise<Said> {
  const id = publicIdIn('dom', uuid)
  const called = id === undefined ? undefined : await call('DELETE', `/domains/${id}`)
  if (!called || called.status === 404) return failure(404, 'Could not delete the domain.')
  if (called.status !== 204) return refusedBy(called)
  return json({ message: 'Domain deleted successfully' })
}
