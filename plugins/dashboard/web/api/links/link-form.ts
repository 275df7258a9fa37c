import { api, ifMatch, versionOf } from '../client/client.ts'
import { isProblem } from '../client/problem.ts'
import type { operations } from '../schema.d.ts'
import type { Link, LinkChange, NewLink } from './links.ts'

/** The manifest of one plugin. */
export type ManifestEntry =
  operations['plugins.list']['responses'][200]['content']['application/json']['data'][number]

/** A link and the `ETag` of that version. */
export interface LinkVersion {
  readonly link: Link
  readonly etag: string
}

/** Fields by name. Unknown plugins may add their own; the API reports what it does not know. */
export type Fields = Readonly<Record<string, unknown>>

/** Create a link from the form. Because of the key, a repeated request creates no second link. */
export async function makeLink(fields: Fields, idempotencyKey: string): Promise<LinkVersion> {
  const header = { 'Idempotency-Key': idempotencyKey }
  const { body, etag } = await versionOf(
    api.POST('/api/v1/links', { body: fields as NewLink, params: { header } }),
  )
  return { link: body.data, etag }
}

/** Change a link. Throws `stale` if somebody else changed it first. */
export async function saveLink(
  id: string,
  fields: Fields,
  etag: string,
): Promise<LinkVersion | 'stale'> {
  const params = { path: { id }, header: ifMatch(etag) }
  try {
    const { body, etag: newEtag } = await versionOf(
      api.PATCH('/api/v1/links/{id}', { body: fields as LinkChange, params }),
    )
    return { link: body.data, etag: newEtag }
  } catch (error) {
    if (isProblem(error, 'stale')) return 'stale'
    throw error
  }
}

/** Delete a link and its visits. */
export async function deleteLink(id: string): Promise<void> {
  await api.DELETE('/api/v1/links/{id}', { params: { path: { id } } })
}
