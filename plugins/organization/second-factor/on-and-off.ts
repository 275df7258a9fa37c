import { find, hasApp } from './app-codes.ts'
import { type Own, passkeyTable, table } from './tables.ts'

export async function signsInByApp(accountId: number, context: Own): Promise<boolean> {
  if (!(await context.unstable.signIn.isRequired(accountId))) return false
  return hasApp(await find(accountId, context))
}

/** From now on the account signs in with its app. Passkeys from before a second factor that was reset count no more. */
export async function turnOnByApp(accountId: number, context: Own): Promise<void> {
  const { signIn } = context.unstable
  if (await signIn.isRequired(accountId)) return
  await forgetPasskeys(accountId, context)
  await signIn.requireStep(accountId, true)
}

export async function turnOff(accountId: number, context: Own): Promise<undefined> {
  await forgetPasskeys(accountId, context)
  await context.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  await context.unstable.signIn.requireStep(accountId, false)
  return undefined
}

export async function forgetPasskeys(accountId: number, { db }: Own): Promise<void> {
  await db.deleteFrom(passkeyTable).where('account_id', '=', accountId).execute()
}
