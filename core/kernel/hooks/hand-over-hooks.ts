import type { LinkHooks } from '../../links/hooks.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import type { Tx } from '../../storage/database.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import type { Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import { unavailable } from './writing-hooks.ts'

/** Has plugins hand over what they keep of an account, and refuses more than the plan of the other one allows. */
export function createHandOver(
  running: readonly RunningPlugin[],
  contain: Containment,
  limitOf: Entitlements['limit'],
): LinkHooks['handOver'] {
  const giving = running.filter(({ plugin }) => plugin.unstable?.handOver)

  /** What an account uses of each thing that plans limit, by the name of the limit. */
  async function used(tx: Tx, accountId: number): Promise<ReadonlyMap<string, number> | Refusal> {
    const all = new Map<string, number>()
    for (const { plugin, within } of running) {
      for (const [name, { used }] of Object.entries(plugin.limits ?? {})) {
        const ask = () => plugin.usage?.[used]?.(accountId, within(tx))
        const details = {
          part: `usage.${used}`,
          account: accountId,
          isWriting: true,
          check: checks.count,
        }
        const answer = await contain.run(plugin.feature, 'usage', ask, details)
        if (!answer.ok) return unavailable()
        all.set(name, answer.value ?? 0)
      }
    }
    return all
  }

  return async (tx, what, plan) => {
    const before = await used(tx, what.to)
    if (isRefusal(before)) return before
    for (const { plugin, within } of giving) {
      const give = () => plugin.unstable?.handOver?.(structuredClone(what), within(tx))
      const details = { account: what.from, isWriting: true, check: checks.refusal }
      const answer = await contain.run(plugin.feature, 'handOver', give, details)
      if (!answer.ok) return unavailable()
      if (answer.value) return answer.value
    }
    const after = await used(tx, what.to)
    if (isRefusal(after)) return after
    for (const [name, count] of after) {
      const { name: limitName, max } = limitOf(plan, name)
      if (count > max && count > (before.get(name) ?? 0)) return tooMany(limitName, max, count)
    }
    return undefined
  }
}

function tooMany(limitName: string, limit: number, used: number): Refusal {
  const detail = `The plan of the other account allows ${limit} of what ${limitName} counts, and it would have ${used}. Move the account to another plan first.`
  return refuse('plan_limit_reached', detail, 403, undefined, { limitName, limit, used })
}
