import { loadPlugins } from '../kernel/load/load-plugins.ts'
import { featuresOn } from '../kernel/load/plugin-choice.ts'
import { secretNames } from '../kernel/run/plugin-settings.ts'
import { mistakesInSettings } from '../kernel/run/start-plugins.ts'
import { UserError } from '../lib/user-error.ts'
import type { Plugin } from '../plugin.ts'
import type { RunTimeSettings } from '../settings/settings.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { settingsBeside } from '../storage/backups/settings-beside.ts'
import { databaseFile } from './find-instance.ts'
import { choiceOf, type Setting } from './setting.ts'
import {
  type ReadSettings,
  readServerSettings,
  type ServerSettings,
  warnOfUnknown,
} from './settings-from-env.ts'

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
