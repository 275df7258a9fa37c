import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

export type Tag = operations['tags.show']['responses'][200]['content']['application/json']['data']

export type NewTag = BodyOf<operations['tags.create']>

export const tagsKey = ['tags'] as const

/** How many tags a list has at most. */
export const listedTags = 100

/** The tags of the account by name: the first of those whose name contains `search`. */
export function tagsQuery(search = '') {
  const query = { per_page: listedTags, ...(search && { search }) }
  return queryOptions({
    queryKey: [...tagsKey, 'list', search],
    queryFn: async () => (await dataOf(api.GET('/api/v1/tags', { params: { query } }))).data,
  })
}

/** All tags of the account by name, for the tags page. */
export const allTagsQuery = longList<Tag>([...tagsKey, 'all'], (query, signal) =>
  dataOf(api.GET('/api/v1/tags', { params: { query }, signal })),
)

/** One tag, with the version that a change sends along. */
export function readTag(id: string): Promise<Version<Tag>> {
  return readVersion(api.GET('/api/v1/tags/{id}', { params: { path: { id } } }))
}

/** One tag, for its own page. */
export function tagQuery(id: string) {
  return queryOptions({ queryKey: [...tagsKey, 'one', id], queryFn: () => readTag(id) })
}

export async function createTag(body: NewTag): Promise<Tag> {
  return (await dataOf(api.POST('/api/v1/tags', { body }))).data
}

/** Change a tag. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function updateTag(id: string, body: Partial<NewTag>, etag: string): Promise<Tag> {
  const params = { path: { id }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/tags/{id}', { body, params }))).data
}

/** Delete a tag; its links stay. */
export async function deleteTag(id: string): Promise<void> {
  await api.DELETE('/api/v1/tags/{id}', { params: { path: { id } } })
}
