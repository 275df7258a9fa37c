import { createRouter } from '@tanstack/react-router'
import { sessionQuery } from './api/account/session.ts'
import { routes } from './routes.ts'
import { Failed, NotFound } from './shell/start/failed.tsx'
import { Pending } from './shell/start/pending.tsx'
import { createQueryClient } from './shell/start/query-client.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

export const queryClient = createQueryClient({
  onSignedOut() {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    void router.invalidate()
  },
})

export const router = createRouter({
  routeTree: routes,
  basepath: '/dashboard',
  context: { queryClient },
  defaultPreload: 'intent',
  // What a link preloads is cached by the query client.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  // Once its data is there, a page replaces its outline at once.
  defaultPendingMinMs: 0,
  defaultPendingComponent: Pending,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})
