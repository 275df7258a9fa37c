import { api, dataOf } from '../client/client.ts'
import type { Fields } from './link-form.ts'
import type { NewLinks } from './links.ts'

/** What became of one of many. */
export interface MadeOrNot {
  /** Its place in the request. */
  readonly index: number
  readonly shortUrl: string | undefined
  /** Why there is no link; `isLate`: there was no time for it, and it can be sent again. */
  readonly problem: { readonly code: string; readonly detail: string } | undefined
  readonly isLate: boolean
}

/** The most links that are made at once; the API takes a hundred, and has time for these. */
export const maxLinksAtOnce = 50

/** Make some links, each for itself. The key makes sure that a repeat makes none twice. */
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

/** What is wrong with its fields says more than that something is. */
function sentenceOf({
  detail,
  errors = [],
}: {
  readonly detail: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : detail
}
