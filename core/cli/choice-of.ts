import type { PluginChoice } from '../kernel/load/plugin-choice.ts'
import type { Setting } from './setting.ts'
import type { ServerSettings } from './settings-from-env.ts'

/** Which plugins are on: just those that `PLUGINS` names, else what configuration and admins say. */
export function choiceOf(
  { plugins }: Pick<Setting, 'plugins'>,
  server: Pick<ServerSettings, 'plugins'>,
): PluginChoice {
  return { fixed: server.plugins === 'all' ? undefined : server.plugins, usual: plugins }
}
