import type { Command } from 'commander'
import type { OutsidePlugin } from '../../kernel/load/outside-plugins.ts'
import { showHidden } from '../../lib/text/shown.ts'
import { UserError } from '../../lib/user-error.ts'
import {
  addPlugin,
  expectInstalled,
  hasPackages,
  removePlugin,
  updatePlugins,
} from '../../outside/change-plugins.ts'
import type { Ours } from '../../outside/check-together.ts'
import { dependenciesOf, findPlugins } from '../../outside/find-plugins.ts'
import { newestThatFits } from '../../outside/newest-that-fits.ts'
import { type ListedPlugin, pluginIndex, searchIndex } from '../../outside/plugin-index.ts'
import { readSource } from '../../outside/source.ts'
import { noteOnUnstable } from '../../outside/uses-unstable.ts'
import { prepareFolder, withInstance } from '../data-folder.ts'
import { hasInstance, readEnvironment } from '../find-instance.ts'
import { say, writeJson } from '../output.ts'
import type { Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'
import { listOutdated, listPlugins, tellNoPackages } from './list-plugins.ts'
import { tellOfShutAccounts } from './tell-shut.ts'
import { tryPlugins } from './try-plugins.ts'
import { pluginsFolder } from './with-outside.ts'

/** The commands of `linnet plugins` for plugins that did not come with Linnet. */
export function addInstallCommands(plugins: Command, setting: Setting): void {
  plugins
    .command('list')
    .description('List all plugins.')
    .option('--outdated', 'only installed plugins with a newer version')
    .option('--json', 'as JSON')
    .action(({ outdated, json }: { readonly outdated?: true; readonly json?: true }) =>
      outdated ? listOutdated(setting, json) : listPlugins(setting, json),
    )
  plugins
    .command('search [word...]')
    .description('Search the index of plugins that LINNET_PLUGIN_INDEX names.')
    .option('--json', 'as JSON')
    .action((words: readonly string[], { json }: { readonly json?: true }) =>
      searchPlugins(setting, words, json),
    )
  plugins
    .command('add <plugin>')
    .description(
      'Install a plugin by its name in the npm registry, from a .tgz file of npm pack, or from a folder.',
    )
    .addHelpText('after', `\n${ofAdd}`)
    .action((plugin: string) => add(setting, plugin))
  plugins
    .command('update [package...]')
    .description('Update installed plugins to the newest versions within their requested ranges.')
    .action((packages: readonly string[]) => update(setting, packages))
  plugins
    .command('remove <package>')
    .description('Remove an installed plugin. Its data stays.')
    .action((name: string) => remove(setting, name))
}

const ofAdd = `Plugins are code that can do everything Linnet can: install only those that you trust. Install scripts of packages
are not run, but the plugin itself is, to check whether it can be used.

Examples:
  linnet plugins add linnet-plugin-hours@^1
  linnet plugins add ./linnet-plugin-hours-1.0.0.tgz
  linnet plugins add ./linnet-plugin-hours`

async function add(setting: Setting, plugin: string): Promise<void> {
  const asked = readSource(plugin)
  const server = prepareFolder(setting)
  const { source, note: hint } = await newestThatFits(asked, setting.version)
  const added = await addPlugin(pluginsFolder(server), source, oursOf(setting))
  say(`${sentenceOf(added, server)}${hint === undefined ? '' : `${hint}\n`}`, shownOf(added))
}

async function update(setting: Setting, packages: readonly string[]): Promise<void> {
  const server = readEnvironment(setting)
  const folder = pluginsFolder(server)
  if (packages.length === 0 && !hasPackages(folder)) return tellNoPackages(folder)
  const updated = await updatePlugins(folderWith(setting, packages), packages, oursOf(setting))
  const sentences = updated.map(it => sentenceOf(it, server))
  say(updated.length === 0 ? `${upToDate(folder)}\n` : sentences.join(''), updated.map(shownOf))
}

/** npm knows of no newer version of what came from a file or folder. */
function upToDate(folder: string): string {
  const isFromFile = Object.values(dependenciesOf(folder)).some(it => it.startsWith('file:'))
  const hint = ' Update what you added from a file or folder with linnet plugins add.'
  return `Everything from the npm registry is up to date.${isFromFile ? hint : ''}`
}

async function remove(setting: Setting, name: string): Promise<void> {
  const folder = folderWith(setting, [name])
  const features = findPlugins(folder).flatMap(it => (it.name === name ? (it.feature ?? []) : []))
  await removePlugin(folder, name)
  say(
    `${name} is removed. Its data stays, and links that it protects stay closed. ${whenItRuns}\n`,
    { removed: name, features },
  )
  if (!hasInstance(readEnvironment(setting))) return
  await withInstance(setting, async ({ storage }) => {
    for (const feature of features) await tellOfShutAccounts(storage.db, feature)
  })
}

/** The folder of plugins. If these are not installed in it, throws and does not create it. */
function folderWith(setting: Setting, names: readonly string[]): string {
  const server = readEnvironment(setting)
  for (const name of names) expectInstalled(pluginsFolder(server), name)
  return pluginsFolder(prepareFolder(setting))
}

function sentenceOf({ name, version, feature }: OutsidePlugin, server: ServerSettings): string {
  return `${name} ${version} is installed and provides ${feature}. ${follows(server)}\n${noteOnUnstable(pluginsFolder(server), name)}`
}

function shownOf({ name, version, feature }: OutsidePlugin) {
  return { name, version, feature }
}

function oursOf(setting: Setting): Ours {
  const { registry, version, programUrl } = setting
  return {
    registry,
    version,
    program: new URL('.', programUrl),
    whyNot: async plugin => (await tryPlugins(setting, [plugin]))[plugin.feature],
  }
}

/** What the commands print about a server that is running. */
export const whenItRuns = 'A running server applies this within two seconds and logs it.'

/** The same of an installation. Without a database the folder may be the wrong one. */
function follows(server: ServerSettings): string {
  if (hasInstance(server)) return whenItRuns
  return `No server has used ${server.dataDir} yet: set LINNET_DATA_DIR if yours uses another folder.`
}

/** `linnet plugins search` */
async function searchPlugins(
  setting: Setting,
  words: readonly string[],
  asJson = false,
): Promise<void> {
  const address = readEnvironment(setting).pluginIndex
  if (address === undefined) throw new UserError(noIndex)
  const { plugins, unreadable } = await pluginIndex(address, setting.version).read()
  const found = searchIndex(plugins, words)
  if (asJson) return writeJson(found)
  if (found.length === 0) process.stdout.write('No plugin in the index has these words.\n')
  for (const plugin of found) process.stdout.write(describe(plugin))
  if (unreadable > 0) {
    process.stderr.write(
      `Entries of the index that cannot be read, and are left out: ${unreadable}\n`,
    )
  }
}

const noIndex =
  'No index of plugins is set: LINNET_PLUGIN_INDEX has its URL. Without one, search the npm registry: npm search keywords:linnet-plugin'

function describe(plugin: ListedPlugin): string {
  const { name, version, problem, about, license, released, reads, unstable, verified } = plugin
  const way =
    problem === null ? `linnet plugins add ${name}@${version}` : `Cannot be used: ${problem}.`
  const facts = [
    license,
    `released ${released}`,
    ...(reads.length === 0 ? [] : [`reads ${reads.join(', ')}`]),
    ...(unstable.length === 0 ? [] : [`uses unstable ${unstable.join(', ')}`]),
  ]
  const mark =
    verified === null ? '' : `  Verified by ${verified.by}: ${showHidden(verified.provenance)}\n`
  return `${name}  ${about}\n  ${facts.join(' · ')}\n${mark}  ${way}\n\n`
}
