import type { Context } from '../../../../core/plugin.ts'
import type { Run } from '../runs/run.ts'

/** The account that gets something, and a sentence if that is not the one it was asked for. */
export interface Owner {
  readonly accountId: number
  readonly sentence?: string
}

/** Finds which account gets what somebody has in the source. */
export type FindOwner = (email: string | null | undefined) => Promise<Owner>

export function findOwners({ unstable }: Pick<Context, 'unstable'>, run: Run): FindOwner {
  const own: Owner = { accountId: run.accountId }
  const known = new Map<string, Promise<Owner>>()

  async function find(email: string): Promise<Owner> {
    const account = await unstable.accounts.byEmail(email)
    if (account) return { accountId: account.accountId }
    return { ...own, sentence: `There is no account ${email} here, so it came to you.` }
  }

  return async email => {
    if (!run.options.byOwner || !email) return own
    const found = known.get(email) ?? find(email)
    if (known.size < 10_000 && email.length < 400) known.set(email, found)
    return found
  }
}
