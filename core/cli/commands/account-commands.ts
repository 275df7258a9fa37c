import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { resetSteps } from '../../accounts/access/account-steps.ts'
import { updateAccount } from '../../accounts/access/change-account.ts'
import { makeOneTimeLink, urlOfOneTimeLink } from '../../accounts/access/one-time-links.ts'
import { ensureAdmin, isSetUp } from '../../accounts/access/set-up.ts'
import { releaseAccount, suspendAccount } from '../../accounts/access/suspend-account.ts'
import { email, fullName, newPassword } from '../../accounts/account-fields.ts'
import { UserError } from '../../lib/user-error.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { Database } from '../../storage/database.ts'
import { inspectServer, joinDatabase } from '../../storage/open/open-database.ts'
import { expectAccount, readOption } from '../account-options.ts'
import { checkAccess } from '../check-access.ts'
import { type DataFolder, withDataFolder, withInstance } from '../data-folder.ts'
import { addressOf, hasInstance, readEnvironment } from '../find-instance.ts'
import { say } from '../output.ts'
import { survivePlugins } from '../plugins/with-outside.ts'
import { expectSameDatabase } from '../running-server.ts'
import type { Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'
import { addInviteCommand } from './invite-account.ts'
import { wholeSetting, withCommandApp } from './with-command-app.ts'

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
    .action((options: Options) => setUp(options, setting))
}

/** Creates the database only when everything that was entered can be used. */
async function setUp(options: Options, setting: Setting): Promise<void> {
  const address = readOption('--email', options.email, email)
  const name = options.name === undefined ? null : readOption('--name', options.name, fullName)
  const server = readEnvironment(setting)
  if (existsSync(server.dataDir)) checkAccess(server.dataDir)
  expectSameDatabase(server)
  if (await hasAdmin(server)) throw alreadySetUp()
  const password = await askForPassword('Password for the first admin: ')
  const admin = {
    email: address,
    password,
    fullName: name,
    token: undefined,
  }
  await withDataFolder(setting, async ({ storage: { db } }) => {
    if (await isSetUp(db)) throw alreadySetUp()
    await ensureAdmin(db, admin, () => new Date())
  })
  say(
    `${address} is the first admin. ` +
      `To create an API token, run: linnet token create --account ${address}\n`,
    { email: address },
  )
}

/** Looks without creating anything. */
async function hasAdmin(server: ServerSettings): Promise<boolean> {
  if (!hasInstance(server)) return false
  if (server.databaseUrl !== undefined) await inspectServer(server.databaseUrl)
  const { db, close } = await joinDatabase(addressOf(server))
  try {
    const tables = await db.introspection.getTables()
    return tables.some(({ name }) => name === 'accounts') && (await isSetUp(db))
  } finally {
    await close()
  }
}

function alreadySetUp(): UserError {
  return new UserError('There is already an admin. Sign in, or ask an admin to create the account.')
}

/** `linnet account` */
export function addAccountCommand(program: Command, setting: Setting): void {
  const account = program.command('account').description('Accounts.')
  account
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
  account
    .command('one-time-link <email>')
    .description('Make a link that chooses a new password for an account, and signs in.')
    .addHelpText(
      'after',
      `
The link works once: for a day, or for seven where the account has no password yet. It signs in also where a provider is down
and passwords are off. The server may be running.

Example:
  linnet account one-time-link you@example.org`,
    )
    .action((email: string) => withInstance(setting, folder => printLink(email, folder)))
  addInviteCommand(account, setting)
  account
    .command('reset-second-factor <email>')
    .description('Let an account sign in without its second step.')
    .addHelpText(
      'after',
      `
For somebody who lost what the second step asks for, or whose plugin does not run. The server may be running. The plugin
is told.

Example:
  linnet account reset-second-factor you@example.org`,
    )
    .action((email: string) =>
      withInstance(setting, ({ storage }) => resetSecondFactor(email, storage.db)),
    )
  account
    .command('delete <email>')
    .description('Delete an account, and hand over its links or delete them.')
    .option(
      '--hand-over-to <email>',
      'give its links, with what belongs to them, to another account',
    )
    .option('--with-links', 'delete its links: its short URLs stop working')
    .addHelpText(
      'after',
      `
The server may be running.

Examples:
  linnet account delete grace@example.org --hand-over-to you@example.org
  linnet account delete grace@example.org --with-links`,
    )
    .action((email: string, options: Deleting) => remove(email, options, setting))
  account
    .command('suspend <email>')
    .description('Keep everybody from acting for an account, until it is released.')
    .option('--close-links', 'its links lead nowhere meanwhile')
    .addHelpText(
      'after',
      `
Its sessions end at once, and its API tokens open nothing. Its links go on, unless you close them. The server may be running.

Examples:
  linnet account suspend grace@example.org
  linnet account suspend grace@example.org --close-links`,
    )
    .action((email: string, options: { readonly closeLinks?: true }) =>
      withInstance(setting, ({ storage }) =>
        suspend(email, options.closeLinks === true, storage.db),
      ),
    )
  account
    .command('release <email>')
    .description('Let a suspended account act again.')
    .addHelpText(
      'after',
      `
Its owner may sign in again, its API tokens work as before, and so do its links. The server may be running.

Example:
  linnet account release grace@example.org`,
    )
    .action((email: string) => withInstance(setting, ({ storage }) => release(email, storage.db)))
}

/** What becomes of the links of an account that is deleted. */
interface Deleting {
  readonly handOverTo?: string
  readonly withLinks?: true
}

async function remove(
  email: string,
  { handOverTo, withLinks }: Deleting,
  ours: Setting,
): Promise<void> {
  if ((handOverTo === undefined) === (withLinks === undefined)) throw new UserError(eitherOr)
  survivePlugins(ours)
  const setting = await wholeSetting(ours)
  await withCommandApp(setting, new AbortController().signal, async (app, db) => {
    const { id, email: address } = await expectAccount(db, email)
    const heir = handOverTo === undefined ? undefined : await expectAccount(db, handOverTo)
    const [broken] = Object.entries(app.plugins.leftOut)
    if (heir && broken) throw new UserError(notWithout(...broken))
    const deleted = await app.deleteAccount(id, () => undefined, false, heir?.id)
    if (isRefusal(deleted)) throw new UserError(deleted.detail)
    say(
      heir
        ? `${address} is deleted. Its links belong to ${heir.email} now.\n`
        : `${address} is deleted, with its links.\n`,
      { deleted: address, handedOverTo: heir?.email ?? null },
    )
  })
}

const eitherOr =
  'Say what becomes of its links: --hand-over-to EMAIL gives them to another account, --with-links deletes them.'

function notWithout(feature: string, why: string): string {
  return `${feature} does not run, so what it keeps of the account could not be handed over: ${why}.`
}

async function suspend(email: string, linksClosed: boolean, db: Database): Promise<void> {
  const { id, email: address } = await expectAccount(db, email)
  const changed = await suspendAccount(db, id, linksClosed, () => new Date())
  if (isRefusal(changed)) throw new UserError(changed.detail)
  say(`${address} is suspended, and its links ${linksClosed ? 'are closed' : 'go on'}.\n`, {
    ...{ suspended: address, linksClosed },
  })
}

async function release(email: string, db: Database): Promise<void> {
  const { id, email: address, suspendedAt } = await expectAccount(db, email)
  const changed = await releaseAccount(db, id, () => new Date())
  if (isRefusal(changed)) throw new UserError(changed.detail)
  say(suspendedAt ? `${address} is released.\n` : `${address} was not suspended.\n`, {
    ...{ released: address, wasSuspended: suspendedAt !== null },
  })
}

async function printLink(email: string, { server, storage: { db } }: DataFolder): Promise<void> {
  const { baseUrl, dashboardUrl = baseUrl } = server
  const account = await expectAccount(db, email)
  const { secret } = await makeOneTimeLink(db, account, () => new Date())
  const url = urlOfOneTimeLink(dashboardUrl, secret)
  say(`${url}\n`, { url })
}

async function resetSecondFactor(email: string, db: Database): Promise<void> {
  const account = await expectAccount(db, email)
  const features = await resetSteps(db, account.id, () => new Date())
  say(
    features.length === 0
      ? `${account.email} needs no second step.\n`
      : `${account.email} signs in without the second step of ${features.join(' and ')} now.\n`,
    { email: account.email, features },
  )
}

async function setPassword(email: string, db: Database): Promise<void> {
  const account = await expectAccount(db, email)
  const password = await askForPassword(`New password for ${account.email}: `)
  const changed = await updateAccount(db, account.id, { password }, () => new Date())
  if (isRefusal(changed)) throw new UserError(changed.detail)
  say(`${account.email} has a new password and is signed out everywhere.\n`, {
    email: account.email,
  })
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
