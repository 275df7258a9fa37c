import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFrom } from '../../kernel/contain/blamed-plugin.ts'
import { nothingOutside, type Outside } from '../../kernel/load/outside-plugins.ts'
import { featuresOn } from '../../kernel/load/plugin-choice.ts'
import type { AvailablePlugins } from '../../kernel/run/start-plugins.ts'
import { caught } from '../../lib/caught.ts'
import { finishChange } from '../../outside/change-folder.ts'
import { loadOutside, registryOf } from '../../outside/load-outside.ts'
import type { RunTimeSettings } from '../../settings/settings.ts'
import { readEnvironment } from '../find-instance.ts'
import { choiceOf, type Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'

/** The configuration of the program, with the plugins in the folder of plugins. */
export interface WholeSetting extends Setting {
  readonly outside: Outside
}

/** Which plugins exist in a configuration, and which of them are on by default. */
export function availablePlugins(
  setting: WholeSetting,
  server: Pick<ServerSettings, 'plugins'>,
): AvailablePlugins & { readonly outside: Outside } {
  const { registry, outside } = setting
  return { registry, outside, choice: choiceOf(setting, server) }
}

/** The folder for plugins that do not come with Linnet. */
export function pluginsFolder({ dataDir }: Pick<ServerSettings, 'dataDir'>): string {
  return join(dataDir, 'plugins')
}

/**
 * Reads the folder of plugins, and adds its plugins after those of Linnet, on by default. The folder is not even read
 * if `PLUGINS` names only plugins of Linnet: that makes it possible to start when an installed plugin ends the process.
 *
 * @param switched the plugins that an admin switched; one that is off is not imported if its package names its feature
 */
export async function withOutside(
  setting: Setting,
  server: Pick<ServerSettings, 'dataDir' | 'plugins'>,
  switched: RunTimeSettings['plugins'],
): Promise<WholeSetting> {
  const ours = Object.keys(setting.registry)
  const { plugins: named } = server
  const isLeftOut = named !== 'all' && named.every(feature => ours.includes(feature))
  if (isLeftOut) return { ...setting, outside: nothingOutside }
  const isOff = (feature: string) => {
    const choice = choiceOf({ plugins: [feature] }, server)
    return !featuresOn(choice, switched).includes(feature)
  }
  return withPluginsOf(pluginsFolder(server), setting, isOff)
}

async function withPluginsOf(
  folder: string,
  setting: Setting,
  isOff: (feature: string) => boolean,
): Promise<WholeSetting> {
  finishChange(folder)
  const program = new URL('.', setting.programUrl)
  const ours = Object.keys(setting.registry)
  const outside = await loadOutside(folder, { program, version: setting.version, ours, isOff })
  const registry = registryOf(outside.plugins)
  return {
    ...setting,
    registry: { ...setting.registry, ...registry },
    plugins: [...setting.plugins, ...Object.keys(registry)],
    outside,
  }
}

/** Prints uncaught errors of imported plugins, in promises or timers, but does not let the command fail. */
export function survivePlugins(setting: Setting): void {
  const programFolder = dirname(fileURLToPath(setting.programUrl))
  const survive = (error: unknown) => {
    const isOfPlugin = isFrom(error, pluginsFolder(readEnvironment(setting)))
    if (!isOfPlugin && isFrom(error, programFolder)) throw error
    process.stderr.write(`A plugin failed outside its hooks: ${caught(error).message}\n`)
  }
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
}
