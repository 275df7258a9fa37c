import { queryOptions } from '@tanstack/react-query'
import { texts } from '../../texts.ts'
import { Problem, problemIn } from '../client/problem.ts'

/** Degraded: links are followed, something else does not work. Failing: they are not. */
export type Grade = 'ok' | 'degraded' | 'failing'

/** How the instance is, as a load balancer asks. */
export interface Health {
  readonly status: Grade
  readonly checks: Readonly<
    Record<string, { readonly status: Grade; readonly note: string | null }>
  >
}

/** Looked at again so often, in milliseconds. */
const refreshMs = 15_000

/** What works. It lies outside of the API, so that nothing of the API is in its way. */
export const healthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => readHealth(signal),
  refetchInterval: refreshMs,
  retry: false,
})

async function readHealth(signal: AbortSignal): Promise<Health> {
  const response = await fetch('/health/ready', { signal }).catch(error => {
    if (signal.aborted) throw error
    throw new Problem({ status: 0, code: 'unreachable', detail: texts.errors.unreachable })
  })
  // 503 says what is failing, like 200 says what is not.
  if (response.ok || response.status === 503) return (await response.json()) as Health
  throw await problemIn(response)
}
