import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isAborted, isProblem, Problem } from '../../api/client/problem.ts'
import { notifyProblem } from '../../shared/notices/notify.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsProblem`: the form shows what is wrong, so no notification is needed. */
    mutationMeta: { readonly showsProblem?: true }
  }
}

/** How long data counts as fresh, in milliseconds; queries for live numbers set a shorter time. */
const freshMs = 15_000

/**
 * Requests are sent even if the browser believes to be offline: a server on the local network is reachable
 * without the Internet. What cannot be sent fails at once instead of being kept for later, when nobody wants it
 * any more.
 */
const networkMode = 'always'

/** The cache of everything read from the API. Calls `onSignedOut` if an answer says that the session is over. */
export function createQueryClient({ onSignedOut }: { onSignedOut(): void }): QueryClient {
  const watch = (error: unknown) => {
    if (isProblem(error, 'unauthenticated')) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({
      onError(error, _values, _result, { meta }) {
        if (isAborted(error)) return
        watch(error)
        if (!meta?.showsProblem) notifyProblem(error)
      },
    }),
    defaultOptions: {
      queries: { staleTime: freshMs, retry: mayRetry, networkMode, refetchOnReconnect: true },
      mutations: { networkMode },
    },
  })
}

/** Retry if the server did not answer or failed, but not if it refused or the browser is offline. */
function mayRetry(failures: number, error: unknown): boolean {
  const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500
  return !isRefused && navigator.onLine && failures < 2
}
