import type { Json, KnownAccount } from '../../../core/plugin.ts'
import { choicesOf } from './choices.ts'
import { isAllowed } from './gather.ts'
import { keep } from './hear.ts'
import { isObject } from './shown.ts'
import type { Own } from './tables.ts'
import type { LimitName } from './words/sentences.ts'

/** From this share on, a limit is nearly reached. */
const nearly = 0.8

/** Where a profile shows a limit, and what counts against it. */
const limits: readonly {
  readonly name: LimitName
  readonly group: 'limits' | 'organization'
  readonly usage: string
}[] = [
  { name: 'maxLinksCreatedPerMonth', group: 'limits', usage: 'linksCreatedThisMonth' },
  { name: 'maxTrackedVisitsPerMonth', group: 'limits', usage: 'visitsTrackedThisMonth' },
  { name: 'maxTags', group: 'organization', usage: 'tagsCount' },
  { name: 'maxCampaigns', group: 'organization', usage: 'campaignsCount' },
]

/** What is said of a limit. */
export interface LimitNews {
  readonly name: LimitName
  readonly used: number
  readonly limit: number
}

/** Looks how much accounts have used of what their plans allow, and keeps what they are to be told, once a month each. */
export async function lookAtLimits(context: Own): Promise<void> {
  const { signal, unstable } = context
  if (!unstable.mail.canSend()) return
  /** Plans without limits: reading the profile of one account tells for all that have it. */
  const unlimited = new Set<string>()
  for await (const accounts of unstable.accounts.all()) {
    const choices = await choicesOf(accounts, context)
    for (const account of accounts) {
      if (signal.aborted) return
      const chosen = choices.get(account.accountId)
      if (!chosen || unlimited.has(account.plan)) continue
      if (!isAllowed(account, 'limits', chosen, context)) continue
      const used = await usedBy(account, context)
      if (used.length === 0) unlimited.add(account.plan)
      for (const one of used) await tellOf(one, account, context)
    }
  }
}

async function tellOf(used: LimitNews, { accountId }: KnownAccount, context: Own): Promise<void> {
  const share = used.used / used.limit
  if (share < nearly) return
  const month = context.now().toISOString().slice(0, 7)
  const about = `${used.name} ${month} ${share < 1 ? 'nearly' : 'reached'}`
  await keep({ accountId, kind: 'limits', about, says: used }, context)
}

/** What an account has used of what its plan limits. */
async function usedBy(
  { accountId }: KnownAccount,
  { unstable }: Own,
): Promise<readonly LimitNews[]> {
  const { body } = await unstable.callApi(accountId, 'GET', '/profile')
  const plan = member(member(body, 'data'), 'plan')
  return limits.flatMap(({ name, group, usage }) => {
    const limit = Number(member(member(plan, group), name))
    const used = Number(member(member(plan, 'usage'), usage))
    const isLimited = limit > 0 && limit < Number.MAX_SAFE_INTEGER && Number.isFinite(used)
    return isLimited ? [{ name, used, limit }] : []
  })
}

function member(json: Json | undefined, name: string): Json | undefined {
  return isObject(json) ? json[name] : undefined
}
