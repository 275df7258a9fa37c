import { type Json, type KnownAccount, z } from '../../../core/plugin.ts'
import { choicesOf, isAllowed } from './choices.ts'
import { keep } from './keep-news.ts'
import { isObject } from './shown.ts'
import type { OwnContext } from './tables.ts'

/** From this share on, a limit is nearly reached. */
const nearly = 0.8

/** A limit, and the key in `usage` of what counts against it. */
const limitSchema = z.object({ name: z.string(), label: z.string(), used: z.string() })
type Limit = z.output<typeof limitSchema>
const pluginsSchema = z.object({ data: z.array(z.object({ limits: z.array(limitSchema) })) })

/** The limits of Linnet itself, which are counted anew every month. Mails have words for them. */
export const monthly: readonly Limit[] = [
  { name: 'maxLinksCreatedPerMonth', label: '', used: 'linksCreatedThisMonth' },
  { name: 'maxTrackedVisitsPerMonth', label: '', used: 'visitsTrackedThisMonth' },
]

/** What is said of a limit. */
export interface LimitNews {
  readonly name: string
  /** As the plugin that brings the limit calls it. */
  readonly label: string
  readonly used: number
  readonly limit: number
}

/** Looks how much accounts have used of what their plans allow, and keeps what they are to be told, once a month each. */
export async function lookAtLimits(context: OwnContext): Promise<void> {
  const { signal, unstable } = context
  if (!unstable.mail.canSend()) return
  /** Plans without limits: reading the profile of one account tells for all that have it. */
  const unlimited = new Set<string>()
  let limits: readonly Limit[] | undefined
  for await (const accounts of unstable.accounts.all()) {
    const choices = await choicesOf(accounts, context)
    for (const account of accounts) {
      if (signal.aborted) return
      const chosen = choices.get(account.accountId)
      if (!chosen || unlimited.has(account.plan)) continue
      if (!isAllowed(account, 'limits', chosen, context)) continue
      limits ??= [...monthly, ...(await limitsOfPlugins(account, context))]
      const used = await usedBy(account, limits, context)
      if (used.length === 0) unlimited.add(account.plan)
      for (const one of used) await tellOf(one, account, context)
    }
  }
}

async function tellOf(
  used: LimitNews,
  { accountId }: KnownAccount,
  context: OwnContext,
): Promise<void> {
  const share = used.used / used.limit
  if (share < nearly) return
  const month = context.now().toISOString().slice(0, 7)
  const about = `${used.name} ${month} ${share < 1 ? 'nearly' : 'reached'}`
  await keep({ accountId, kind: 'limits', about, says: used }, context)
}

/** What the plugins that run let plans limit, with labels in a language: the same for all accounts. */
export async function limitsOfPlugins(
  { accountId }: KnownAccount,
  { unstable }: OwnContext,
  language?: string,
): Promise<readonly Limit[]> {
  const { body } = await unstable.callApi(accountId, 'GET', '/plugins', undefined, language)
  return pluginsSchema.parse(body).data.flatMap(({ limits }) => limits)
}

/** What an account has used of what its plan limits. */
async function usedBy(
  { accountId }: KnownAccount,
  limits: readonly Limit[],
  { unstable }: OwnContext,
): Promise<readonly LimitNews[]> {
  const { body } = await unstable.callApi(accountId, 'GET', '/profile')
  const { usage, ...groups } = member(member(body, 'data'), 'plan') as Readonly<
    Record<string, Json>
  >
  return limits.flatMap(({ name, label, used: counted }) => {
    const values = Object.values(groups).map(group => member(group, name))
    const limit = Number(values.find(value => typeof value === 'number'))
    const used = Number(member(usage, counted))
    const isLimited = limit > 0 && limit < Number.MAX_SAFE_INTEGER && Number.isFinite(used)
    return isLimited ? [{ name, label, used, limit }] : []
  })
}

function member(json: Json | undefined, name: string): Json | undefined {
  return isObject(json) ? json[name] : undefined
}
