import { isRefusal } from '../../plugin/outcomes.ts'
import type { Route } from './route.ts'

/**
 * The same routes, but what they change is seen by visitors when they answer: after the commit, whatever
 * transaction a handler ran in.
 */
export function thenRefresh(
  routes: readonly Route[],
  refresh: () => Promise<void>,
): readonly Route[] {
  return routes.map(route => {
    if (route.method === 'GET') return route
    return {
      ...route,
      async handle(call) {
        const reply = await route.handle(call)
        if (!isRefusal(reply)) await refresh()
        return reply
      },
    }
  })
}
