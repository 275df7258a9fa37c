import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { loadPlugin, loadPlugins } from '../../kernel/load/load-plugins.ts'
import { featuresOn, type PluginChoice, switchPlugin } from '../../kernel/load/plugin-choice.ts'
import {
  fixedByEnvironment,
  loadOthers,
  refuseSwitch,
  whyStopped,
} from '../../kernel/load/refuse-switch.ts'
import {
  featuresWithRemains,
  findRemains,
  purgePlugin,
  type Remains,
} from '../../kernel/run/purge-plugin.ts'
import { nearestName } from '../../lib/text/nearest-name.ts'
import { counted } from '../../lib/text/shown.ts'
import { UserError } from '../../lib/user-error.ts'
import { releaseGuard } from '../../links/read/guarded-links.ts'
import type { Plugin, Registry } from '../../plugin.ts'
import type { RunTimeSettings } from '../../settings/settings.ts'
import { type DataFolder, withInstance, withLock } from '../data-folder.ts'
import { expectInstance } from '../find-instance.ts'
import { say } from '../output.ts'
import { addInstallCommands, whenItRuns } from '../plugins/install-plugins.ts'
import { tellOfShutAccounts } from '../plugins/tell-shut.ts'
import { survivePlugins, type WholeSetting, withOutside } from '../plugins/with-outside.ts'
import { choiceOf, filesFolderOf, type Setting } from '../setting.ts'

/** `linnet plugins` */
export function addPluginsCommand(program: Command, setting: Setting): void {
  const plugins = program
    .command('plugins')
    .description('List plugins, install them, and switch them on and off.')
    .addHelpText(
      'after',
      `
Examples:
  linnet plugins                                      list all plugins
  linnet plugins add linnet-plugin-hours              install one that does not come with Linnet
  linnet plugins off acme.officeHours                 takes effect at once, also in a running server
  linnet plugins release acme.officeHours             open the links it protects while it is off
  linnet plugins purge acme.officeHours               show what purging would delete`,
    )
    .hook('preAction', () => survivePlugins(setting))
  addInstallCommands(plugins, setting)

  plugins
    .command('on <feature>')
    .description('Switch a plugin on.')
    .action((feature: string) => toggle(setting, feature, true))
  plugins
    .command('off <feature>')
    .description('Switch a plugin off. Its data stays.')
    .action((feature: string) => toggle(setting, feature, false))
  plugins
    .command('release <feature>')
    .description('Open the links that a plugin protects and that are closed while it is off.')
    .action((feature: string) => release(setting, feature))
  plugins
    .command('purge <feature>')
    .description('Show what a plugin left in the database; with --yes, delete it permanently.')
    .option('--yes', 'really delete it')
    .action((feature: string, { yes = false }: { yes?: boolean }) => purge(setting, feature, yes))
}

async function toggle(ours: Setting, feature: string, on: boolean): Promise<void> {
  await withInstance(ours, async ({ server, settings, storage }) => {
    const byAdmins = settings.read().plugins
    // A plugin that cannot be loaded can still be switched off.
    const off = [...(byAdmins?.off ?? []), feature]
    const setting = await withOutside(ours, server, { ...byAdmins, off })
    checkFeature(feature, Object.keys(setting.registry))
    const choice = choiceOf(setting, server)
    if (choice.fixed) throw new UserError(fixedByEnvironment.detail)
    const others = await loadOthers(setting.registry, featuresOn(choice, byAdmins), feature)
    const needs = on ? await needsOf(setting.registry, feature) : []
    const refused = refuseSwitch({ feature, needs }, on, { choice, others })
    if (refused) throw new UserError(refused.detail)
    const why = await whyOthersStop(setting, choice, settings.read(), { feature, on })
    if (why !== undefined) throw new UserError(`${feature} is unchanged: ${why}.`)
    await settings.update(stored => switchPlugin(stored, choice, feature, on))
    say(`${feature} is ${on ? 'on' : 'off'}. ${whenItRuns}\n`, { feature, on })
    if (!on) await tellOfShutAccounts(storage.db, feature)
  })
}

/** Which plugins could run before a switch but not after it, as they share a name with one that runs then. */
async function whyOthersStop(
  { registry, outside }: WholeSetting,
  choice: PluginChoice,
  stored: RunTimeSettings,
  { feature, on }: { readonly feature: string; readonly on: boolean },
): Promise<string | undefined> {
  const installed = outside.plugins.map(it => it.feature)
  const load = (settings: RunTimeSettings) =>
    loadPlugins(registry, featuresOn(choice, settings.plugins), installed)
  const { plugins } = await load(stored)
  const { leftOut } = await load(switchPlugin(stored, choice, feature, on))
  return whyStopped(plugins, leftOut)
}

/** Throws if the plugin cannot be loaded: it must not be switched on, because the next start would fail. */
async function needsOf(registry: Registry, feature: string): Promise<NonNullable<Plugin['needs']>> {
  const { plugin, mistakes } = await loadPlugin(feature, registry[feature] as Registry[string])
  if (!plugin) throw new UserError(mistakes.join('\n'))
  return plugin.needs ?? []
}

async function release(setting: Setting, feature: string): Promise<void> {
  await withInstance(setting, async folder => {
    const { db } = folder.storage
    const released = await releaseGuard(db, await knownOrLeft(feature, setting, folder))
    say(`${counted(released, 'link')} released from ${feature}.\n`, { feature, released })
    await tellOfShutAccounts(db, feature)
  })
}

async function purge(setting: Setting, feature: string, really: boolean): Promise<void> {
  if (!really) {
    const remains = await withInstance(setting, async folder =>
      findRemains(folder.storage.db, await knownOrLeft(feature, setting, folder)),
    )
    const warning = 'This cannot be undone. To do it, stop the server and add --yes.'
    say(`Purging ${feature} would delete ${describe(remains)}.\n${warning}\n`, {
      ...{ feature, purged: false, remains },
    })
    return
  }
  expectInstance(setting)
  const remains = await withLock(setting, async (_, { databaseUrl }) => {
    // Servers with another data folder use it, too. Loaded only where there is such a database.
    if (databaseUrl !== undefined) {
      const { expectNoServer } = await import('../../storage/open/keeper.ts')
      await expectNoServer(databaseUrl)
    }
    return withInstance(setting, async folder => {
      const known = await knownOrLeft(feature, setting, folder)
      rmSync(join(filesFolderOf(folder.server), known), { recursive: true, force: true })
      return purgePlugin(folder.storage.db, known)
    })
  })
  say(`${feature} is purged: ${describe(remains)}.\n`, { feature, purged: true, remains })
}

function describe({ tables, links, values }: Remains): string {
  const named = tables.length === 0 ? '' : ` (${tables.join(', ')})`
  const stored = values === 0 ? '' : `, ${counted(values, 'stored value')}`
  return `${counted(tables.length, 'table')}${named}${stored} and its fields on ${counted(links, 'link')}`
}

/** Also accepts a plugin that is no longer installed, because it can still guard links and have data. */
async function knownOrLeft(
  feature: string,
  ours: Setting,
  { server, storage, settings }: DataFolder,
): Promise<string> {
  const { registry } = await withOutside(ours, server, settings.read().plugins)
  const left = await featuresWithRemains(storage.db)
  return checkFeature(feature, [...Object.keys(registry), ...left])
}

function checkFeature(feature: string, known: readonly string[]): string {
  if (known.includes(feature)) return feature
  const meant = nearestName(feature, known) ?? nearestWithoutCategory(feature, known)
  throw new UserError(
    `There is no plugin ${feature}${meant ? `: did you mean ${meant}?` : '; see linnet plugins.'}`,
  )
}

/** Such as `acme.officeHours` for `officehours`: the category is easily forgotten or mistaken. */
function nearestWithoutCategory(feature: string, known: readonly string[]): string | undefined {
  const short = (it: string) => it.slice(it.lastIndexOf('.') + 1).toLowerCase()
  const nearest = nearestName(short(feature), known.map(short))
  return known.find(it => short(it) === nearest)
}
