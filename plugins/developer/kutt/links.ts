import { isRefusal, type Json, z } from '../../../core/plugin.ts'
import { failure, json, refusedBy, type Said } from './answers.ts'
import { type Asked, defaultHost, endOf, withScheme } from './asked.ts'
import { findNamed, isSaid, type Link, linkIn, linkSchema, shown } from './called-link.ts'

const longestPage = 100
const listed = z.object({ data: z.array(linkSchema), meta: z.object({ total: z.number() }) })

export async function listLinks(asked: Asked): Promise<Said> {
  const { query, call } = asked
  const limit = Math.min(50, Math.max(1, numberIn(query.get('limit'), 10)))
  const skip = numberIn(query.get('skip'), 0)
  const search = (query.get('search') ?? '').trim().slice(0, 200)
  const found: Link[] = []
  let total = 0
  // No more than was asked for: some links are long.
  const perPage = skip % limit === 0 ? limit : longestPage
  const from = skip % perPage
  for (let page = Math.floor(skip / perPage) + 1; found.length < from + limit; page += 1) {
    const wanted = new URLSearchParams({ per_page: `${perPage}`, page: `${page}` })
    if (search !== '') wanted.set('search', search)
    const called = await call('GET', `/links?${wanted}`)
    if (called.status !== 200) return refusedBy(called)
    const { data, meta } = listed.parse(called.body)
    found.push(...data)
    total = meta.total
    if (data.length < perPage) break
  }
  const data = found.slice(from, from + limit).map(link => shown(asked, link))
  return json({ total, limit, skip, data })
}

function numberIn(text: string | null, usual: number): number {
  return text !== null && /^\d{1,7}$/.test(text) ? Number(text) : usual
}

export async function createLink(asked: Asked): Promise<Said> {
  const { call, body } = asked
  const originalUrl = withScheme(body.target)
  if (originalUrl === undefined || originalUrl === null || originalUrl === '') {
    return failure(400, 'Target is missing.')
  }
  const { domain } = body
  const isUsual = !domain || domain === defaultHost(asked)
  const plain = { originalUrl, ...(!isUsual && { domain }) }
  const change = changeOf(asked, 'customurl')
  if (isSaid(change)) return change
  const wish = { ...plain, ...withoutNulls(change) }
  if (isTrue(body.reuse)) {
    // Kutt looks for the target alone, whatever else is wished.
    const isPlain = Object.keys(wish).length === Object.keys(plain).length
    const path = isPlain ? '/links' : '/links?dry_run=true'
    const first = await call('POST', path, { ...plain, reuse: true })
    const link = linkIn(first)
    if (isRefusal(link)) return link
    if (isPlain || first.status === 200) return json(shown(asked, link), first.status)
  }
  const made = linkIn(await call('POST', '/links', wish))
  return isRefusal(made) ? made : json(shown(asked, made), 201)
}

export async function editLink(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const change = changeOf(asked, 'address')
  if (isSaid(change)) return change
  const originalUrl = withScheme(asked.body.target)
  const all = { ...change, ...(originalUrl && { originalUrl }) }
  if (Object.keys(all).length === 0) return failure(400, 'Should at least update one field.')
  const changed = linkIn(await asked.call('PATCH', `/links/${link.id}`, all))
  return isRefusal(changed) ? changed : json(shown(asked, changed))
}

export async function deleteLink(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const called = await asked.call('DELETE', `/links/${link.id}`)
  if (called.status !== 204) return refusedBy(called)
  return json({ message: 'Link has been deleted successfully.' })
}

/** The fields that making and editing have in common, in the words of the API. What is empty clears. */
function changeOf(
  { body, now }: Asked,
  address: 'customurl' | 'address',
): Readonly<Record<string, Json>> | Said {
  const change: Record<string, Json> = {}
  const { description, password, expire_in: length } = body
  const code = body[address]
  if (code) change.shortCode = typeof code === 'string' ? code.trim() : code
  if (description !== undefined) change.notes = description === '' ? null : description
  if (password !== undefined) change.password = password === '' ? null : password
  if (length === undefined) return change
  if (length === null || length === '') return { ...change, expiresAt: null }
  const end = typeof length === 'string' ? endOf(length, now()) : 'Expire format is invalid.'
  return typeof end === 'string' ? failure(400, end) : { ...change, expiresAt: end.at }
}

/** New links have nothing to clear, and a plugin that is off has no field that could be null. */
function withoutNulls(fields: Readonly<Record<string, Json>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function isTrue(value: Json | undefined): boolean {
  return value === true || value === 'true' || value === 'on'
}
