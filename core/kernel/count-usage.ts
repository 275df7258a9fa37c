import type { Counts } from '../accounts/profile.ts'
import type { RunningPlugin } from './start-plugins.ts'

/** How many an account has of what its plan limits the number of; none of what no plugin brings. */
export async function countUsage(
  running: readonly RunningPlugin[],
  accountId: number,
): Promise<Counts> {
  const count = async (key: string): Promise<number> => {
    const member = running.find(({ plugin }) => plugin.usage?.[key])
    return (await member?.plugin.usage?.[key]?.(accountId, member.context)) ?? 0
  }
  return { tags: await count('tagsCount'), campaigns: await count('campaignsCount') }
}
