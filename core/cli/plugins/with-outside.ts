import { join } from 'node:path'
import { featuresOn } from '../../kernel/load/plugin-choice.ts'
import type { Offer } from '../../kernel/run/start-plugins.ts'
import { finishChange } from '../../outside/change-folder.ts'
import {
  loadOutside,
  nothingOutside,
  type Outside,
  registryOf,
} from '../../outside/load-outside.ts'
import type { RunTimeSettings } from '../../settings/settings.ts'
import { choiceOf, type Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'

/** What the program is configured with, and what lies in the folder of plugins besides. */
export interface WholeSetting extends Setting {
  readonly outside: Outside
}

/** Which plugins there are by that, and which of them are on by themselves. */
export function offerOf(
  setting: WholeSetting,
  server: Pick<ServerSettings, 'plugins'>,
): Offer & { readonly outside: Outside } {
  const { registry, outside } = setting
  return { registry, outside, choice: choiceOf(setting, server) }
}

/** The folder for plugins that do not come with Linnet. */
export function pluginsFolder({ dataDir }: Pick<ServerSettings, 'dataDir'>): string {
  return join(dataDir, 'plugins')
}

/**
 * Read the folder of plugins, and list what is in it behind what comes with Linnet, to be on by itself. It is
 * not even read where `PLUGINS` names nothing that is not ours: that is how to start when one of them ends
 * the process.
 *
 * @param switched what an admin said: what is off is not imported where its package tells what it is
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
  const outside = await loadOutside(folder, { program, ours, isOff })
  const registry = registryOf(outside.plugins)
  return {
    ...setting,
    registry: { ...setting.registry, ...registry },
    plugins: [...setting.plugins, ...Object.keys(registry)],
    outside,
  }
}
