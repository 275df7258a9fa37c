import { countRequiredSteps } from '../../accounts/access/account-steps.ts'
import { counted } from '../../lib/text/shown.ts'
import type { Database } from '../../storage/database.ts'
import { note } from '../output.ts'

/** Says how many accounts cannot sign in without a plugin, and what lets one in: `release` is for links alone. */
export async function tellOfShutAccounts(db: Database, feature: string): Promise<void> {
  const accounts = (await countRequiredSteps(db)).get(feature) ?? 0
  if (accounts === 0) return
  note(
    `${counted(accounts, 'account')} cannot sign in while ${feature} does not run, because it asks the second step. ` +
      'To let one in without it: linnet account reset-second-factor EMAIL\n',
  )
}
