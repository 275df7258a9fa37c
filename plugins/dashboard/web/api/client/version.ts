import { versionOf } from './client.ts'

/** A thing as it was read, and what says which version of it that was. */
export interface Version<T> {
  readonly data: T
  readonly etag: string
}

/** Read a thing with its version: `readVersion(api.GET('/api/v1/tags/{id}', …))`. */
export async function readVersion<T>(
  call: Promise<{ readonly data?: { readonly data: T }; readonly response: Response }>,
): Promise<Version<T>> {
  const { body, etag } = await versionOf(call)
  return { data: body.data, etag }
}
