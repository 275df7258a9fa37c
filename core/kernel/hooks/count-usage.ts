import type { Counts } from '../../accounts/profile.ts'
import { countedByCore } from '../../accounts/usage.ts'
import { checks } from '../contain/check-answers.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'

/**
 * What an account has of all that plugins count, by these names; none of what no plugin brings, or of what
 * its plugin fails to count: who signs in is shown their profile, and must be able to switch it off.
 */
export async function countUsage(
  names: readonly string[],
  running: readonly RunningPlugin[],
  contain: Containment,
  accountId: number,
): Promise<Counts> {
  const count = async (name: string): Promise<number> => {
    for (const { plugin, context } of running) {
      const of = plugin.usage?.[name]
      if (!of) continue
      const told = { part: `usage.${name}`, account: accountId, check: checks.count }
      const ask = () => of(accountId, context)
      return unlessFailed(await contain.run(plugin.feature, 'usage', ask, told)) ?? 0
    }
    return 0
  }
  const counted = names
    .filter(name => !countedByCore.includes(name))
    .map(async name => [name, await count(name)] as const)
  return Object.fromEntries(await Promise.all(counted))
}
