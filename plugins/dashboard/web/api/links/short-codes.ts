import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** Whether a short code can be had, and one like it when not. */
export type CodeState =
  operations['links.shortCodes']['responses'][200]['content']['application/json']['data'][number]

/** The most codes that the API says something of at once. */
export const maxCodesAtOnce = 100

/** Whether short codes can be had on a host; `domain` is that of this instance unless given. */
export async function readCodeStates(
  codes: readonly string[],
  domain?: string | undefined,
  signal?: AbortSignal,
): Promise<readonly CodeState[]> {
  const query = { short_codes: codes.join(), ...(domain && { domain }) }
  const init = { params: { query }, ...(signal && { signal }) }
  return (await dataOf(api.GET('/api/v1/links/short-codes', init))).data
}

/** The same of one code, for while it is typed. */
export function codeQuery(code: string, domain: string | undefined) {
  return queryOptions({
    queryKey: ['short-codes', domain, code],
    queryFn: async ({ signal }) => (await readCodeStates([code], domain, signal))[0],
    retry: false,
  })
}
