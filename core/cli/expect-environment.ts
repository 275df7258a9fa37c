import { loadPlugins } from '../kernel/load/load-plugins.ts'
import { featuresOn } from '../kernel/load/plugin-choice.ts'
import { mistakesInSettings } from '../kernel/run/start-plugins.ts'
import { UserError } from '../lib/user-error.ts'
import type { RunTimeSettings } from '../settings/settings.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { settingsBeside } from '../storage/backups/settings-beside.ts'
import { databaseFile } from './find-instance.ts'
import { choiceOf, type Setting } from './setting.ts'
import { type ReadSettings, readServerSettings, type ServerSettings } from './settings-from-env.ts'

/** Reads the settings of the server. Throws a `UserError` with all mistakes in the environment. */
export async function expectEnvironment(setting: Setting): Promise<ServerSettings> {
  const read = readServerSettings(setting.env, setting.table)
  if ('settings' in read) return read.settings
  throw new UserError((await allMistakes(read, setting)).join('\n'))
}

type Wrong = Extract<ReadSettings, { mistakes: unknown }>

/** All mistakes in the variables of the server, and in the secrets of the plugins of ours that would be on. */
export async function allMistakes(
  { mistakes, rest }: Wrong,
  setting: Setting,
): Promise<readonly string[]> {
  // Unless `PLUGINS` can be read, nobody knows which plugins would be on.
  if (rest.plugins === undefined) return mistakes
  const { registry, env } = setting
  const { plugins: stored } = await storedIn(rest)
  const on = featuresOn(choiceOf(setting, { plugins: rest.plugins }), stored)
  const { plugins } = await loadPlugins(
    registry,
    on.filter(it => Object.hasOwn(registry, it)),
  )
  return [...mistakes, ...mistakesInSettings(plugins, stored?.settings ?? {}, env)]
}

/** The settings in the file of the data folder. A database is not asked: its address may be what is wrong. */
async function storedIn(rest: Wrong['rest']): Promise<RunTimeSettings> {
  const { dataDir } = rest
  const isInFile = 'databaseUrl' in rest && rest.databaseUrl === undefined
  if (!isInFile || dataDir === undefined) return {}
  // A file that cannot be read is told once the environment is right.
  return readSettingsFile(settingsBeside(databaseFile({ dataDir }))).catch(() => ({}))
}
