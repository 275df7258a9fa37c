import type { Counts } from '../accounts/profile.ts'
import { checks } from './check-answers.ts'
import { type Containment, unlessFailed } from './contain.ts'
import type { RunningPlugin } from './start-plugins.ts'

/**
 * How many an account has of what its plan limits the number of; none of what no plugin brings, or of what
 * its plugin fails to count: who signs in is shown their profile, and must be able to switch it off.
 */
export async function countUsage(
  running: readonly RunningPlugin[],
  contain: Containment,
  accountId: number,
): Promise<Counts> {
  const count = async (key: string): Promise<number> => {
    for (const { plugin, context } of running) {
      const of = plugin.usage?.[key]
      if (!of) continue
      const told = { part: `usage.${key}`, account: accountId, check: checks.count }
      const ask = () => of(accountId, context)
      return unlessFailed(await contain.run(plugin.feature, 'usage', ask, told)) ?? 0
    }
    return 0
  }
  return { tags: await count('tagsCount'), campaigns: await count('campaignsCount') }
}
