import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { updateAccount } from '../../accounts/access/change-account.ts'
import { ensureAdmin, isSetUp } from '../../accounts/access/set-up.ts'
import { email, newPassword } from '../../accounts/account-fields.ts'
import { findAccountByEmail } from '../../accounts/accounts.ts'
import { UserError } from '../../lib/user-error.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { Database } from '../../storage/database.ts'
import { withDataFolder, withInstance } from '../data-folder.ts'
import type { Setting } from '../setting.ts'

interface Options {
  readonly email: string
  readonly name?: string
}

/** `linnet setup` */
export function addSetupCommand(program: Command, setting: Setting): void {
  program
    .command('setup')
    .description('Create the first admin, without the code from the log.')
    .requiredOption('--email <address>', 'e-mail address to sign in with')
    .option('--name <name>', 'full name')
    .addHelpText(
      'after',
      `
Linnet asks for the password, or reads it from standard input.

Examples:
  linnet setup --email you@example.org
  linnet setup --email you@example.org --name 'Ada Lovelace' < password.txt`,
    )
    .action((options: Options) =>
      withDataFolder(setting, ({ storage }) => setUp(options, storage.db)),
    )
}

async function setUp(options: Options, db: Database): Promise<void> {
  const address = email.safeParse(options.email)
  if (!address.success) {
    throw new UserError(
      `${options.email} is not an e-mail address. Enter one such as you@example.org.`,
    )
  }
  if (await isSetUp(db)) {
    throw new UserError(
      'There is already an admin. Sign in, or ask an admin to create the account.',
    )
  }
  const password = await askForPassword('Password for the first admin: ')
  const admin = { email: address.data, password, fullName: options.name ?? null, token: undefined }
  await ensureAdmin(db, admin, () => new Date())
  process.stdout.write(
    `${address.data} is the first admin. ` +
      `To create an API token, run: linnet token create --account ${address.data}\n`,
  )
}

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
  const password = await askForPassword(`New password for ${account.email}: `)
  const changed = await updateAccount(db, account.id, { password }, () => new Date())
  if (isRefusal(changed)) throw new UserError(changed.detail)
  process.stdout.write(`${account.email} has a new password and is signed out everywhere.\n`)
}

async function askForPassword(question: string): Promise<string> {
  const { data, error } = newPassword.safeParse(await askForSecret(question))
  if (data === undefined) throw new UserError(error.issues[0]?.message)
  return data
}

/** Asks on the terminal without showing what is typed. Without a terminal, reads all of standard input. */
async function askForSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write(question)
  const silent = new Writable({ write: (_, __, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
