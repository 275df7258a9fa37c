import type { SaidHosts } from '../../links/follow/hosts-of-plugins.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import type { Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'

/** Asks plugins, or only one of them, for the hosts on which links are followed, all at once: by feature, and undefined for one that fails. */
export function createListHosts(
  running: readonly RunningPlugin[],
  contain: Containment,
): (only?: string) => Promise<SaidHosts> {
  const asked = running.filter(({ plugin }) => plugin.unstable?.hosts)
  return async only => {
    const answers = asked
      .filter(({ plugin: { feature } }) => only === undefined || feature === only)
      .map(async ({ plugin: { feature, unstable }, context }) => {
        const ask = () => unstable?.hosts?.(context)
        const answer = await contain.run(feature, 'hosts', ask, { check: checks.hosts })
        return [feature, answer.ok ? (answer.value ?? []) : undefined] as const
      })
    return new Map(await Promise.all(answers))
  }
}
