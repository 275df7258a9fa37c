import type { Command } from 'commander'
import { updateAccount } from '../../accounts/access/change-account.ts'
import { newPassword } from '../../accounts/account-fields.ts'
import { findAccountByEmail } from '../../accounts/accounts.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { Database } from '../../storage/database.ts'
import { askForSecret } from '../ask-for-secret.ts'
import { withInstance } from '../data-folder.ts'
import type { Setting } from '../setting.ts'
import { UserError } from '../user-error.ts'

/** `linnet account password` */
export function addAccountCommand(program: Command, setting: Setting): void {
  program
    .command('account')
    .description('Accounts.')
    .command('password <email>')
    .description('Set a new password for an account, and end its sessions.')
    .addHelpText(
      'after',
      `
Linnet asks for the password, or reads it from standard input. The server may be running.

Examples:
  linnet account password you@example.org
  linnet account password you@example.org < password.txt`,
    )
    .action((email: string) =>
      withInstance(setting, ({ storage }) => setPassword(email, storage.db)),
    )
}

async function setPassword(email: string, db: Database): Promise<void> {
  const account = await findAccountByEmail(db, email)
  if (!account)
    throw new UserError(`There is no account ${email}. Enter the e-mail address of an account.`)
  const password = newPassword.safeParse(await askForSecret(`New password for ${account.email}: `))
  if (!password.success) throw new UserError(password.error.issues[0]?.message ?? '')
  const change = { password: password.data }
  const changed = await updateAccount(db, account.id, change, () => new Date())
  if (isRefusal(changed)) throw new UserError(changed.detail)
  process.stdout.write(`${account.email} has a new password and is signed out everywhere.\n`)
}
