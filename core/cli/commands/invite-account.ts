import type { Command } from 'commander'
import { makeOneTimeLink, urlOfOneTimeLink } from '../../accounts/access/one-time-links.ts'
import { email, fullName } from '../../accounts/account-fields.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { meant } from '../../lib/text/nearest-name.ts'
import { UserError } from '../../lib/user-error.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import { offeredPlans } from '../../settings/offered-plans.ts'
import { defaultPlan } from '../../settings/plan.ts'
import { inTransactionUnlessRefused } from '../../storage/database.ts'
import { readOption } from '../account-options.ts'
import { type DataFolder, withInstance } from '../data-folder.ts'
import { say } from '../output.ts'
import type { Setting } from '../setting.ts'

interface Options {
  readonly name?: string
  readonly plan: string
}

/** `linnet account invite` */
export function addInviteCommand(account: Command, setting: Setting): void {
  account
    .command('invite <email>')
    .description('Create an account, and a link by which its owner chooses the password.')
    .option('--name <name>', 'full name')
    .option('--plan <plan>', 'slug of its plan', defaultPlan)
    .addHelpText(
      'after',
      `
The link works once, within seven days. The server may be running.

Example:
  linnet account invite grace@example.org --name 'Grace Hopper'`,
    )
    .action((address: string, options: Options) =>
      withInstance(setting, folder => invite(address, options, setting, folder)),
    )
}

async function invite(
  address: string,
  { name, plan }: Options,
  { plans }: Setting,
  { server, settings, storage: { db } }: DataFolder,
): Promise<void> {
  const offered = [...offeredPlans(plans, settings.read()).values()].filter(it => !it.isRetired)
  const slugs = offered.map(({ slug }) => slug)
  if (!slugs.includes(plan)) {
    const remedy = `The plans are ${slugs.join(', ')}.`
    throw new UserError(`There is no plan ${plan}. ${meant(plan, slugs, remedy)}`)
  }
  const draft = {
    email: readOption('The e-mail address', address, email),
    fullName: name === undefined ? null : readOption('--name', name, fullName),
    ...{ password: null, plan, isAdmin: false },
  }
  const now = () => new Date()
  const made = await inTransactionUnlessRefused(db, async tx => {
    const account = await createAccount(tx, draft, now)
    return isRefusal(account) ? account : makeOneTimeLink(tx, account, now)
  })
  if (isRefusal(made)) throw new UserError(made.detail)
  const { baseUrl, dashboardUrl = baseUrl } = server
  const url = urlOfOneTimeLink(dashboardUrl, made.secret)
  say(`${url}\n`, { email: draft.email, url })
}
