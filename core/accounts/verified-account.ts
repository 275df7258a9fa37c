import { z } from 'zod'
import { isRefusal, type Refusal, refuse } from '../plugin/outcomes.ts'
import type { AccountFinder, KnownAccount } from '../plugin.ts'
import { defaultPlan } from '../settings/plan.ts'
import type { Database } from '../storage/database.ts'
import { email, newPassword } from './account-fields.ts'
import { createAccount, whoAre } from './accounts.ts'

const draftSchema = z.strictObject({
  email,
  password: newPassword,
  plan: z.string().default(defaultPlan),
})

/** Makes the account of somebody who has shown a plugin that the address is theirs. */
export async function createVerified(
  db: Database,
  draft: Parameters<AccountFinder['create']>[0],
  now: () => Date,
): Promise<KnownAccount | Refusal> {
  const { data, error } = draftSchema.safeParse(draft)
  if (!data) {
    const [{ path: [field] = [], message } = {}] = error.issues
    return refuse('validation_failed', message ?? '', 422, String(field))
  }
  const more = { fullName: null, isAdmin: false, isVerified: true } as const
  const account = await createAccount(db, { ...data, ...more }, now)
  if (isRefusal(account)) return account
  const [known] = await whoAre(db, [account.id])
  if (!known) throw new Error('The account is gone already.')
  return known
}
