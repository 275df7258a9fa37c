import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isAborted, isProblem, Problem } from '../../api/client/problem.ts'
import { notifyProblem } from '../../shared/notices/notify.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsProblem`: the form that sends it shows what is wrong; no notification is needed. */
    mutationMeta: { readonly showsProblem?: true }
  }
}

/** What is read stays fresh for so long, in milliseconds; numbers that move say a shorter time themselves. */
const freshMs = 15_000

/**
 * The network is asked, not the browser's opinion of it: a server near by is there without the internet. And
 * what cannot be sent fails at once; it is not kept for later, when nobody wants it any more.
 */
const networkMode = 'always'

/** The cache of all that was read. `onSignedOut` runs when an answer says that the session is over. */
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

/** Another try helps when the server did not answer, not when it refused or there is no network. */
function mayRetry(failures: number, error: unknown): boolean {
  const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500
  return !isRefused && navigator.onLine && failures < 2
}
