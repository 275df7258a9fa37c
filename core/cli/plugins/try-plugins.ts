import { whyNotMigrated } from '../../kernel/run/plugin-migrations.ts'
import { readPluginSettings, type StoredSettings } from '../../kernel/run/plugin-settings.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Plugin } from '../../plugin.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { withInstance } from '../data-folder.ts'
import { hasInstance, readEnvironment } from '../find-instance.ts'
import type { Setting } from '../setting.ts'

/**
 * Tries plugins with their settings that are stored, and their migrations on the database, which it undoes. Returns why plugins
 * cannot run, by feature. If the database cannot be used, nothing is tried, and standard error says so.
 */
export async function tryPlugins(
  setting: Setting,
  plugins: readonly Plugin[],
): Promise<Readonly<Record<string, string>>> {
  const some = plugins.filter(
    ({ migrations, settings }) => Object.keys({ ...migrations, ...settings }).length > 0,
  )
  if (some.length === 0 || !hasInstance(readEnvironment(setting))) return {}
  try {
    return await withInstance(setting, async ({ storage, settings }) => {
      const stored = settings.read().plugins?.settings ?? {}
      const found: Record<string, string> = {}
      for (const plugin of some) {
        const why = whyNotSet(plugin, stored, setting) ?? (await whyNotMigrated(storage.db, plugin))
        if (why !== undefined) found[plugin.feature] = why
      }
      return found
    })
  } catch (error) {
    if (!(error instanceof UserError || isOutOfReach(error))) throw error
    const names = some.map(({ feature }) => feature).join(', ')
    process.stderr.write(
      `The settings and migrations of ${names} were not tried; they are when the server starts. ${(error as Error).message}\n`,
    )
    return {}
  }
}

/** What is wrong with the settings that are stored, without a full stop. What is not set yet can be set once the plugin is there. */
function whyNotSet(plugin: Plugin, stored: StoredSettings, { env }: Setting): string | undefined {
  const isStored = ([name]: readonly [string, unknown]) =>
    Object.hasOwn(stored[plugin.feature] ?? {}, name)
  const settings = Object.fromEntries(Object.entries(plugin.settings ?? {}).filter(isStored))
  const { mistakes } = readPluginSettings({ ...plugin, settings }, stored, env)
  return mistakes[0]?.replace(/\.$/, '')
}
