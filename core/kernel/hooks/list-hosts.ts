import type { CustomHost } from '../../plugin.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import type { Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'

/** Asks plugins for the hosts on which links are followed; or the name of the first that fails. */
export function createListHosts(
  running: readonly RunningPlugin[],
  contain: Containment,
): () => Promise<readonly CustomHost[] | string> {
  const asked = running.filter(({ plugin }) => plugin.unstable?.hosts)
  return async () => {
    const all: CustomHost[] = []
    for (const { plugin, context } of asked) {
      const ask = () => plugin.unstable?.hosts?.(context)
      const details = { check: checks.hosts }
      const answer = await contain.run(plugin.feature, 'hosts', ask, details)
      if (!answer.ok) return plugin.feature
      // One by one: a call takes some 100,000 arguments at most.
      for (const host of answer.value ?? []) all.push(host)
    }
    return all
  }
}
