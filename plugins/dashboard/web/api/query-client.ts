import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { notifyProblem } from '../shared/notify.ts'
import { isProblem, Problem } from './problem.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsProblem`: the form that sends it shows what is wrong; no notification is needed. */
    mutationMeta: { readonly showsProblem?: true }
  }
}

/** What is read stays fresh for so long, in milliseconds; numbers that move say a shorter time themselves. */
const freshMs = 15_000

/** The cache of all that was read. `onSignedOut` runs when an answer says that the session is over. */
export function createQueryClient({ onSignedOut }: { onSignedOut(): void }): QueryClient {
  const watch = (error: unknown) => {
    if (isProblem(error, 401)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({
      onError(error, _values, _result, { meta }) {
        watch(error)
        if (!meta?.showsProblem) notifyProblem(error)
      },
    }),
    defaultOptions: { queries: { staleTime: freshMs, retry: mayRetry } },
  })
}

/** Another try helps when the server did not answer, not when it refused. */
function mayRetry(failures: number, error: unknown): boolean {
  const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500
  return !isRefused && failures < 2
}
