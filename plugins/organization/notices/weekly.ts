import { choicesOf, isAllowed } from './choices.ts'
import { keep } from './keep-news.ts'
import { mondayOf } from './local-time.ts'
import type { OwnContext } from './tables.ts'

const dayMs = 86_400_000

/** Notes for whom the week is over, which it is from Monday morning on, and until Tuesday morning if the server was off then. */
export async function lookAtWeek(context: OwnContext): Promise<void> {
  const { now, signal, unstable } = context
  if (!unstable.mail.canSend()) return
  const at = now().getTime()
  for await (const accounts of unstable.accounts.all()) {
    const choices = await choicesOf(accounts, context)
    for (const account of accounts) {
      if (signal.aborted) return
      const chosen = choices.get(account.accountId)
      if (!chosen || !isAllowed(account, 'weekly', chosen, context)) continue
      const { timeZone } = chosen
      const monday = mondayOf(at, timeZone)
      if (monday !== mondayOf(at - dayMs, timeZone)) {
        const { accountId } = account
        await keep({ accountId, kind: 'weekly', about: monday, says: { monday } }, context)
      }
    }
  }
}
