import type { SettingsStore } from '../accounts/settings.ts'
import type { Setting } from './setting.ts'
import type { ServerSettings } from './settings-from-env.ts'

/**
 * The features that are on: just those that `PLUGINS` names, else all that the configuration lists but
 * for those that were switched off.
 */
export function featuresOn(
  { plugins }: Pick<Setting, 'plugins'>,
  { server, settings }: { readonly server: ServerSettings; readonly settings: SettingsStore },
): readonly string[] {
  if (server.plugins !== 'all') return server.plugins
  const off = settings.read().plugins?.off ?? []
  return plugins.filter(feature => !off.includes(feature))
}
