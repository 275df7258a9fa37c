import type { Counts } from '../../accounts/profile.ts'
import { countedByCore } from '../../accounts/usage.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'

/**
 * Counts what an account uses of everything that plugins count, by these names. The count is 0 if no plugin has the
 * name or if the plugin fails, because an admin must still get a profile after signing in, to switch the plugin off.
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
      const details = { part: `usage.${name}`, account: accountId, check: checks.count }
      const ask = () => of(accountId, context)
      return unlessFailed(await contain.run(plugin.feature, 'usage', ask, details)) ?? 0
    }
    return 0
  }
  const counted = names
    .filter(name => !countedByCore.includes(name))
    .map(async name => [name, await count(name)] as const)
  return Object.fromEntries(await Promise.all(counted))
}
