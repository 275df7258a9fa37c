import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** Whether a short code is available, and a similar one if it is not. */
export type CodeState =
  operations['links.shortCodes']['responses'][200]['content']['application/json']['data'][number]

/** The most codes that one request checks. */
export const maxCodesAtOnce = 100

/** Check whether short codes are available on a host. `domain` defaults to the host of this instance. */
export async function readCodeStates(
  codes: readonly string[],
  domain?: string | undefined,
  signal?: AbortSignal,
): Promise<readonly CodeState[]> {
  const query = { short_codes: [...codes], ...(domain && { domain }) }
  const init = { params: { query }, ...(signal && { signal }) }
  return (await dataOf(api.GET('/api/v1/links/short-codes', init))).data
}

/** The same for one code, while it is being typed. */
export function codeQuery(code: string, domain: string | undefined) {
  return queryOptions({
    queryKey: ['short-codes', domain, code],
    queryFn: async ({ signal }) => (await readCodeStates([code], domain, signal))[0],
    retry: false,
  })
}
