import type { z } from 'zod'
import type { Account } from '../accounts/account.ts'
import { findAccountByEmail } from '../accounts/accounts.ts'
import { sentenceOf } from '../http/api/input/field-errors.ts'
import { meant } from '../lib/text/nearest-name.ts'
import { UserError } from '../lib/user-error.ts'
import type { Database } from '../storage/database.ts'

/** The text of an option, checked and read as the API does with the same field. Throws a `UserError` that names the option. */
export function readOption<T>(option: string, text: string, schema: z.ZodType<T, string>): T {
  const { data, error } = schema.safeParse(text, { error: sentenceOf })
  // Not shown: it may steer the terminal.
  if (error) throw new UserError(`${option} cannot be used: ${error.issues[0]?.message}`)
  return data as T
}

/** The account with an e-mail address. Throws a `UserError` that says which address was probably meant. */
export async function expectAccount(db: Database, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email)
  if (account) return account
  const rows = await db.selectFrom('accounts').select('email').limit(mostCompared).execute()
  const remedy =
    rows.length === 0
      ? 'Create the first one with: linnet setup'
      : meant(
          email,
          rows.map(it => it.email),
          'Enter the e-mail address of an account.',
        )
  throw new UserError(`There is no account ${email}. ${remedy}`)
}

/** Comparing so many takes a moment at most. */
const mostCompared = 10_000
