import { queryOptions } from '@tanstack/react-query'
import { texts } from '../../texts.ts'
import { Problem, problemIn } from '../client/problem.ts'

/** Degraded: redirects work, something else does not. Failing: redirects do not work. */
export type Grade = 'ok' | 'degraded' | 'failing'

/** The health of the instance, as a load balancer sees it. */
export interface Health {
  readonly status: Grade
  readonly checks: Readonly<
    Record<string, { readonly status: Grade; readonly note: string | null }>
  >
}

/** How often health is checked again, in milliseconds. */
const refreshMs = 15_000

/** What works. The endpoint is outside the API, so that a fault of the API cannot hide it. */
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
  // A 503 has the same body as a 200: it tells what is failing.
  if (response.ok || response.status === 503) return (await response.json()) as Health
  throw await problemIn(response)
}
