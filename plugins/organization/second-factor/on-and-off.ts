import { find, hasApp } from './app-codes.ts'
import { type OwnContext, passkeyTable, table } from './tables.ts'

export async function signsInByApp(accountId: number, context: OwnContext): Promise<boolean> {
  if (!(await context.unstable.signIn.isRequired(accountId))) return false
  return hasApp(await find(accountId, context))
}

/** Whether an account has a second factor. If not, what is left of one that was reset is forgotten. */
export async function isOn(accountId: number, context: OwnContext): Promise<boolean> {
  const is = await context.unstable.signIn.isRequired(accountId)
  if (!is) await forgetPasskeys(accountId, context)
  return is
}

/** From now on the account signs in with its app. */
export async function turnOnByApp(accountId: number, context: OwnContext): Promise<void> {
  if (!(await isOn(accountId, context))) await context.unstable.signIn.requireStep(accountId, true)
}

export async function turnOff(accountId: number, context: OwnContext): Promise<undefined> {
  await forgetPasskeys(accountId, context)
  await context.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  await context.unstable.signIn.requireStep(accountId, false)
  return undefined
}

async function forgetPasskeys(accountId: number, { db }: OwnContext): Promise<void> {
  await db.deleteFrom(passkeyTable).where('account_id', '=', accountId).execute()
}
