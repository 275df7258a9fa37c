import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { loadAvailable } from '../../app/switching/prepare-set.ts'
import { describeSettings } from '../../kernel/run/setting-overview.ts'
import { mistakesInSettings } from '../../kernel/run/start-plugins.ts'
import { UserError } from '../../lib/user-error.ts'
import { type Env, fileVariable, findText } from '../../lib/variable-text.ts'
import type { Plugin } from '../../plugin.ts'
import type { RunTimeSettings } from '../../settings/settings.ts'
import { checkAccess } from '../check-access.ts'
import { expectEnvironment, unknownVariables } from '../expect-environment.ts'
import { writeJson } from '../output.ts'
import { availablePlugins, survivePlugins, withOutside } from '../plugins/with-outside.ts'
import { expectSameDatabase } from '../running-server.ts'
import type { Setting } from '../setting.ts'
import { defaultText, type Variable, withoutPassword } from '../settings-from-env.ts'
import { readSettings } from '../stored-settings.ts'

/** A setting, its current value, and where the value comes from. */
type Line = readonly [name: string, value: string, from: string]

/** `linnet config` */
export function addConfigCommand(program: Command, setting: Setting): void {
  program
    .command('config')
    .description(
      'Print each setting, its current value and where the value comes from. Secrets are not shown.',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
It reads the same as the server does at its start: the environment (and, but for secrets, that of the server that runs on
the data folder), and what admins changed, which is in settings.json in
the data folder, or in the database of DATABASE_URL.

Examples:
  linnet config
  LINNET_DATA_DIR=/var/lib/linnet linnet config | grep -v default`,
    )
    .hook('preAction', () => survivePlugins(setting))
    .action(({ json = false }: { readonly json?: boolean }) => printConfig(setting, json))
}

/** Prints every setting first, and then all mistakes. */
async function printConfig(ours: Setting, asJson: boolean): Promise<void> {
  const { env, table } = ours
  const all: Line[] = []
  const tell = (lines: readonly Line[]) => {
    if (!asJson) write(lines)
    all.push(...lines)
  }
  tell(Object.values(table).map(variable => lineOfVariable(variable, ours)))

  const server = await expectEnvironment(ours)
  if (existsSync(server.dataDir)) checkAccess(server.dataDir)
  expectSameDatabase(server)
  const stored = await readSettings(server)
  const setting = await withOutside(ours, server, stored.plugins)
  const available = availablePlugins(setting, server)
  const { plugins, mistakes } = await loadAvailable(available, stored.plugins ?? {})
  const place = server.databaseUrl === undefined ? 'settings.json' : 'database'
  tell(plugins.flatMap(plugin => linesOfPlugin(plugin, stored, { env, place })))
  tell(linesOfAdmins(stored, place))
  if (asJson) writeJson(all.map(([name, value, from]) => ({ name, value, from })))
  for (const warning of await unknownVariables(setting, plugins)) {
    process.stderr.write(`${warning}\n`)
  }
  const wrong = [...mistakes, ...mistakesInSettings(plugins, stored.plugins?.settings ?? {}, env)]
  if (wrong.length > 0) throw new UserError(wrong.join('\n'))
}

function lineOfVariable(variable: Variable<unknown>, { env, table, fromServer }: Setting): Line {
  const { name, secret } = variable
  const found = findText(variable, env)
  if (found === undefined) return [name, defaultText(variable, env, table) ?? 'not set', 'default']
  if ('mistake' in found) return [name, 'wrong', 'environment']
  if (fromServer?.includes(name)) return [name, withoutPassword(found.text), 'the running server']
  const isFile = found.from === fileVariable(name)
  const from = isFile ? `the file ${env[found.from]}` : `environment, ${found.from}`
  return [name, secret ? 'hidden' : withoutPassword(found.text), from]
}

function linesOfPlugin(
  plugin: Plugin,
  { plugins }: RunTimeSettings,
  { env, place }: { readonly env: Env; readonly place: string },
): readonly Line[] {
  const stored = (feature: string) => plugins?.settings?.[feature] ?? {}
  return describeSettings(plugin, { stored, env }, text => text).map(setting => {
    const name = `${plugin.feature} ${setting.name}`
    if (setting.variable === null) {
      const from = setting.decidedBy === 'setting' ? place : 'default'
      return [name, JSON.stringify(setting.value), from]
    }
    return setting.isSet
      ? [name, 'hidden', `environment, ${setting.variable}`]
      : [name, 'not set', `default, because ${setting.variable} is not set`]
  })
}

/** The values in the folder `config` that admins have changed. */
function linesOfAdmins(
  { plugins, features, plans, brand }: RunTimeSettings,
  place: string,
): readonly Line[] {
  const values: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries((plugins?.off ?? []).map(feature => [feature, 'off'])),
    ...Object.fromEntries((plugins?.on ?? []).map(feature => [feature, 'on'])),
    ...features,
    ...Object.fromEntries(Object.entries(plans ?? {}).map(([slug, it]) => [`plan ${slug}`, it])),
    ...Object.fromEntries(Object.entries(brand ?? {}).map(([part, it]) => [`brand ${part}`, it])),
  }
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
    place,
  ])
}

/** Prints columns. Very long values do not widen their column. */
function write(lines: readonly Line[]): void {
  const width = (at: 0 | 1) => Math.max(...lines.map(line => Math.min(line[at].length, 44)))
  for (const [name, value, from] of lines) {
    const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value
    process.stdout.write(`${name.padEnd(width(0))}  ${shown.padEnd(width(1))}  ${from}\n`)
  }
}
