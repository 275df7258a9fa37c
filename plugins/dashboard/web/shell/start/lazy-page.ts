import { lazyRouteComponent } from '@tanstack/react-router'
import { api } from '../../api/client/client.ts'

/** A page whose code is loaded when it is first opened. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<Module, Name>(() => load().catch(explain), name)
}

/**
 * Throws a `Problem` if the server does not answer. Otherwise an update has renamed the file, and the router
 * reloads.
 */
async function explain(error: unknown): Promise<never> {
  await api.GET('/api/v1/session')
  throw error
}
