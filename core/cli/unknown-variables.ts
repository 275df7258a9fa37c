import { loadPlugins } from '../kernel/load/load-plugins.ts'
import { secretNames } from '../kernel/run/plugin-settings.ts'
import type { Plugin } from '../plugin.ts'
import type { Setting } from './setting.ts'
import { warnOfUnknown } from './settings-from-env.ts'

/**
 * Returns a warning for each variable that looks like one of ours and is neither a setting nor a secret of a plugin.
 * The secrets of plugins that are off count too, but those plugins are loaded only if something looks unknown.
 */
export async function unknownVariables(
  { env, table, registry }: Setting,
  on: readonly Plugin[],
): Promise<readonly string[]> {
  const secrets = on.flatMap(secretNames)
  if (warnOfUnknown(env, table, secrets).length === 0) return []
  const { plugins } = await loadPlugins(registry, Object.keys(registry))
  return warnOfUnknown(env, table, [...secrets, ...plugins.flatMap(secretNames)])
}
