import { api, dataOf } from '../client/client.ts'
import type { Fields } from './link-form.ts'
import type { NewLinks } from './links.ts'

/** The outcome for one of many new links. */
export interface MadeOrNot {
  /** Its place in the request. */
  readonly index: number
  readonly shortUrl: string | undefined
  /** Why there is no link. `isLate`: time ran out, and the link can be sent again. */
  readonly problem: { readonly code: string; readonly detail: string } | undefined
  readonly isLate: boolean
}

/** The most links that are created at once; the API accepts a hundred, but may run out of time beyond this many. */
export const maxLinksAtOnce = 50

/** Create several links independently of each other. Because of the key, a repeated request creates none twice. */
export async function makeLinks(
  links: readonly Fields[],
  idempotencyKey: string,
): Promise<readonly MadeOrNot[]> {
  const params = { header: { 'Idempotency-Key': idempotencyKey } }
  const body = { links } as NewLinks
  const { data } = await dataOf(api.POST('/api/v1/links/bulk', { body, params }))
  return data.map(({ index, link, problem }) => ({
    index,
    shortUrl: link?.shortUrl,
    problem: problem ? { code: problem.code, detail: sentenceOf(problem) } : undefined,
    isLate: problem?.status === 503,
  }))
}

/** The errors of its fields say more than the problem's own sentence. */
function sentenceOf({
  detail,
  errors = [],
}: {
  readonly detail: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : detail
}
