import { versionOf } from './client.ts'

/** A resource as it was read, with the `ETag` of that version. */
export interface Version<T> {
  readonly data: T
  readonly etag: string
}

/** Read a resource with its version: `readVersion(api.GET('/api/v1/tags/{id}', …))`. */
export async function readVersion<T>(
  call: Promise<{ readonly data?: { readonly data: T }; readonly response: Response }>,
): Promise<Version<T>> {
  const { body, etag } = await versionOf(call)
  return { data: body.data, etag }
}
