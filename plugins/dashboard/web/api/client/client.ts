import createClient, { type RequestBodyOption } from 'openapi-fetch'
import { language, locale } from '../../language/language.ts'
import { texts } from '../../texts.ts'
import type { paths } from '../schema.d.ts'
import { fetchConfirmed } from './asked-proof.ts'
import { isAborted, Problem, problemIn } from './problem.ts'
import { labelsSaid } from './said.ts'

/** The request body of an operation: `BodyOf<operations['links.create']>`. */
export type BodyOf<Operation> = NonNullable<RequestBodyOption<Operation>['body']>

/**
 * The API, typed by its own OpenAPI description. Every answer that is not a success is thrown as a `Problem`,
 * so that what comes back is a success: read it with `dataOf`.
 */
export const api = createClient<paths>({
  baseUrl: '/',
  fetch: fetchConfirmed,
  // What plugins say is in the language of the page, not of the browser.
  headers: { 'Accept-Language': locale },
})

api.use({
  async onResponse({ response, schemaPath }) {
    if (!response.ok) throw await problemIn(response)
    return language !== 'en' && labelled.test(schemaPath) ? labelsSaid(response) : undefined
  },
  onError: ({ error }) =>
    error instanceof Problem || isAborted(error)
      ? undefined
      : new Problem({ status: 0, code: 'unreachable', detail: texts.errors.unreachable }),
})

/** The paths whose answers describe plugins, jobs and programs from which links come. */
const labelled = /^\/api\/v1\/((admin\/)?(plugins|jobs)|imports\/sources)/

/** The body of a successful answer: `dataOf(api.GET('/api/v1/tags'))`. */
export async function dataOf<T>(call: Promise<{ readonly data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call
  if (data === undefined || data === null) throw new TypeError('The answer has no body.')
  return data
}

/** The body with its `ETag`, to send back as `If-Match` when it is changed. */
export async function versionOf<T>(
  call: Promise<{ readonly data?: T; readonly response: Response }>,
): Promise<{ readonly body: NonNullable<T>; readonly etag: string }> {
  const { response } = await call
  const etag = response.headers.get('ETag')?.replace(afterVersion, '"') ?? '*'
  return { body: await dataOf(call), etag }
}

/** What an `ETag` contains after the version: visits and the like, which nobody edits. */
const afterVersion = /\..*"$/

/** Headers that refuse to overwrite somebody else's change: the API answers 412, `stale`. */
export function ifMatch(etag: string): { readonly 'If-Match': string } {
  return { 'If-Match': etag }
}
