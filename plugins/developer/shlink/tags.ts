import {
  isRefusal,
  type Json,
  type MountRequest,
  type Refusal,
  refusalOf,
  refuse,
  z,
} from '../../../core/plugin.ts'
import { json, noContent, problem, type Said } from './answers.ts'
import { type Asked, listIn, pageIn, pagination } from './asked.ts'
import { summary } from './called-link.ts'
import { readAll } from './read-all.ts'
import { totalOf } from './total-of.ts'

type Call = MountRequest['call']

const tag = z.object({ id: z.string(), name: z.string(), linksCount: z.number() })
type Tag = z.output<typeof tag>
const one = z.object({ data: tag })

const allTags = (call: Call) => readAll(call, '/tags', tag, { per_page: '100' })

/** Shlink writes tags in small letters, and without spaces. */
function normalized(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '-')
}

/** The tags of these names. Names are the same in any case here; those that come from elsewhere may have spaces. */
function findTag(tags: readonly Tag[], name: string): Tag | undefined {
  const is = (other: string) => (tag: Tag) => tag.name.toLowerCase() === other
  return tags.find(is(name.trim().toLowerCase())) ?? tags.find(is(normalized(name)))
}

export async function tagsNamed(
  call: Call,
  names: readonly string[],
): Promise<readonly Tag[] | Refusal> {
  const tags = await allTags(call)
  if (isRefusal(tags)) return tags
  return [...new Set(names.flatMap(name => findTag(tags, name) ?? []))]
}

const noTags = refuse('validation_failed', 'Give a list of at most 50 names of tags.', 422, 'tags')

/** The ids of tags by their names. Those that there are not are made, as Shlink does. */
export async function idsOfTags(
  { call }: Asked,
  names: Json,
): Promise<readonly string[] | Refusal> {
  const given = Array.isArray(names) ? names : [names]
  const wanted = given.flatMap(name => (typeof name === 'string' ? [name] : []))
  if (wanted.length !== given.length || wanted.length > 50) return noTags
  if (wanted.length === 0) return []
  const tags = await allTags(call)
  if (isRefusal(tags)) return tags
  const ids = new Set<string>()
  for (const name of wanted) {
    const found = findTag(tags, name)
    if (found) ids.add(found.id)
    else {
      const called = await call('POST', '/tags', { name: normalized(name) })
      if (called.status === 404)
        return refuse('validation_failed', 'There are no tags here.', 422, 'tags')
      if (called.status !== 201) return { ...refusalOf(called), field: 'tags' }
      ids.add(one.parse(called.body).data.id)
    }
  }
  return [...ids]
}

export async function listTags(asked: Asked): Promise<Said> {
  const tags = await allTags(asked.call)
  if (isRefusal(tags)) return tags
  const names = matching(asked, tags).map(({ name }) => name)
  const { page, itemsPerPage } = pageIn(asked, Math.max(1, names.length))
  const data = names.slice((page - 1) * itemsPerPage, page * itemsPerPage)
  return json({
    tags: { data, pagination: pagination(page, itemsPerPage, names.length, data.length) },
  })
}

/** Each tag costs a sum, so a page has at most a hundred. */
export async function tagStats(asked: Asked): Promise<Said> {
  const tags = await allTags(asked.call)
  if (isRefusal(tags)) return tags
  const found = matching(asked, tags)
  const { page, itemsPerPage: wanted } = pageIn(asked, 100)
  const itemsPerPage = Math.min(100, wanted)
  const data = []
  for (const { id, name, linksCount } of found.slice(
    (page - 1) * itemsPerPage,
    page * itemsPerPage,
  )) {
    const total = await totalOf(asked, `/tags/${id}/analytics`)
    if (isRefusal(total)) return total
    data.push({ tag: name, shortUrlsCount: linksCount, visitsSummary: summary(total) })
  }
  return json({
    tags: { data, pagination: pagination(page, itemsPerPage, found.length, data.length) },
  })
}

function matching({ query }: Asked, tags: readonly Tag[]): readonly Tag[] {
  const term = (query.get('searchTerm') ?? '').toLowerCase()
  return tags.filter(({ name }) => name.toLowerCase().includes(term))
}

export async function renameTag(asked: Asked): Promise<Said> {
  const { call, body } = asked
  const { oldName, newName } = body
  if (typeof oldName !== 'string' || typeof newName !== 'string' || newName.trim() === '') {
    const invalidElements = ['oldName', 'newName'].filter(name => typeof body[name] !== 'string')
    return problem(asked, 400, 'invalid-data', 'Give oldName and newName.', { invalidElements })
  }
  const [found] = await tagsOrNone(call, oldName)
  if (!found) return tagNotFound(asked, oldName)
  if ('kind' in found) return found
  const called = await call('PATCH', `/tags/${found.id}`, { name: normalized(newName) })
  if (called.status === 200) return noContent
  const refused = refusalOf(called)
  if (refused.code !== 'name_taken') return refused
  const detail = `You cannot rename tag ${oldName} to ${newName}, because it already exists`
  return problem(asked, 409, 'tag-conflict', detail, { oldName, newName })
}

async function tagsOrNone(call: Call, name: string): Promise<readonly (Tag | Refusal)[]> {
  const found = await tagsNamed(call, [name])
  return isRefusal(found) ? [found] : found
}

/** Tags that there are not are deleted already. */
export async function deleteTags(asked: Asked): Promise<Said> {
  const found = await tagsNamed(asked.call, listIn(asked, 'tags'))
  if (isRefusal(found)) return found
  for (const { id } of found) {
    const called = await asked.call('DELETE', `/tags/${id}`)
    if (called.status !== 204 && called.status !== 404) return refusalOf(called)
  }
  return noContent
}

export function tagNotFound(asked: Asked, name: string): Said {
  return problem(asked, 404, 'tag-not-found', `Tag with name "${name}" could not be found`, {
    tag: name,
  })
}
