import type { Command } from 'commander'
import { scopesOf } from '../../accounts/access/scopes.ts'
import { createTokens } from '../../accounts/access/tokens.ts'
import { loadPlugins } from '../../kernel/load/load-plugins.ts'
import { UserError } from '../../lib/user-error.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import { type TokenDraft, tokenName } from '../../plugin/token-keeper.ts'
import type { SettingsStore } from '../../settings/settings.ts'
import type { Database } from '../../storage/database.ts'
import { expectAccount, readOption } from '../account-options.ts'
import { withInstance } from '../data-folder.ts'
import { withOutside } from '../plugins/with-outside.ts'
import type { Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'

interface Options {
  readonly account: string
  readonly name: string
  readonly scopes: string
  readonly days?: string
  readonly json?: true
}

const dayMs = 86_400_000

/** `linnet token create` */
export function addTokenCommand(program: Command, setting: Setting): void {
  program
    .command('token')
    .description('API tokens.')
    .command('create')
    .description('Create an API token and print it once.')
    .requiredOption('--account <address>', 'e-mail address of its account')
    .option('--name <name>', 'name of the token', 'command line')
    .option('--scopes <scopes>', 'what it allows, separated by commas', '*')
    .option('--days <days>', 'number of days after which it expires (default: never)')
    .addHelpText(
      'after',
      `
Examples:
  linnet token create --account you@example.org
  linnet token create --account you@example.org --name ci --scopes links:write --days 90`,
    )
    .action((options: Options) => {
      const draft = readDraft(options)
      return withInstance(setting, async ({ server, storage, settings }) =>
        createToken(options, draft, storage.db, await allScopes(setting, server, settings)),
      )
    })
}

/** All scopes, including those of plugins that are off, because these may be on again before the token expires. */
async function allScopes(
  ours: Setting,
  server: ServerSettings,
  settings: SettingsStore,
): Promise<readonly string[]> {
  const { registry, outside } = await withOutside(ours, server, settings.read().plugins)
  const features = outside.plugins.map(({ feature }) => feature)
  const { plugins } = await loadPlugins(registry, Object.keys(registry), features)
  return scopesOf(plugins)
}

/** The options of a token, checked before anything is opened. */
function readDraft({ name, scopes, days }: Options): TokenDraft {
  return {
    name: readOption('--name', name, tokenName),
    scopes: scopes.split(',').map(scope => scope.trim()),
    expiresAt: readExpiry(days),
  }
}

async function createToken(
  { account: address, json }: Options,
  draft: TokenDraft,
  db: Database,
  scopes: readonly string[],
): Promise<void> {
  const account = await expectAccount(db, address)
  const tokens = createTokens({ db, now: () => new Date(), scopes: () => scopes })
  const maker = { accountId: account.id, isAdmin: account.isAdmin, scopes: ['*'] }
  const made = await tokens.create(maker, draft)
  if (isRefusal(made)) throw new UserError(made.detail)
  const { id, token } = made
  const failure = await print(`${json ? JSON.stringify({ id, token }) : token}\n`)
  if (failure === undefined) return
  await tokens.revoke(maker, made.id)
  throw new UserError(
    `The token was revoked, because nobody can have read it: ${failure.message}. Create another one.`,
  )
}

/** Writes to the standard output, and resolves to what prevented that. */
function print(text: string): Promise<Error | undefined> {
  return new Promise(resolve => process.stdout.write(text, error => resolve(error ?? undefined)))
}

function readExpiry(days: string | undefined): Date | null {
  if (days === undefined) return null
  const count = Number(days)
  if (!Number.isInteger(count) || count < 1 || count > 36_500) {
    throw new UserError(`--days is "${days}": enter a whole number of days from 1 to 36500.`)
  }
  return new Date(Date.now() + count * dayMs)
}
