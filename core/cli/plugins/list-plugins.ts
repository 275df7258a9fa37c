import { existsSync } from 'node:fs'
import { loadPlugins } from '../../kernel/load/load-plugins.ts'
import type { Outside } from '../../kernel/load/outside-plugins.ts'
import { featuresOn } from '../../kernel/load/plugin-choice.ts'
import { counted } from '../../lib/text/shown.ts'
import { findOutdated, hasPackages } from '../../outside/change-plugins.ts'
import { findPlugins } from '../../outside/find-plugins.ts'
import { withInstance } from '../data-folder.ts'
import { hasInstance, readEnvironment } from '../find-instance.ts'
import { say, writeJson } from '../output.ts'
import { choiceOf, type Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'
import { tryPlugins } from './try-plugins.ts'
import { pluginsFolder, withOutside } from './with-outside.ts'

/** A plugin in the list. */
interface Line {
  readonly state: 'on' | 'off' | 'broken'
  /** The feature; the package, if its feature is not known. */
  readonly name: string
  readonly about: string
  /** Whether it came with Linnet; the other plugins are listed first. */
  readonly isOurs: boolean
}

/** `linnet plugins list`: the plugins that did not come with Linnet, then those that did, by category. */
export async function listPlugins(ours: Setting, asJson = false): Promise<void> {
  const server = readEnvironment(ours)
  const lines = await linesOf(ours, server)
  if (asJson) return writeJson(lines)
  const came = lines.filter(({ isOurs }) => isOurs)
  write(
    `Installed in ${pluginsFolder(server)}`,
    lines.filter(({ isOurs }) => !isOurs),
  )
  for (const category of new Set(came.map(categoryOf))) {
    write(
      capitalized(category),
      came.filter(it => categoryOf(it) === category),
    )
  }
  const on = lines.filter(({ state }) => state === 'on').length
  process.stdout.write(`${counted(lines.length, 'plugin')}, ${on} on\n`)
}

async function linesOf(ours: Setting, server: ServerSettings): Promise<readonly Line[]> {
  const stored = await readSwitches(ours, server)
  const setting = await withOutside(ours, server, stored)
  const { registry, outside } = setting
  const on = featuresOn(choiceOf(setting, server), stored)
  const features = outside.plugins.map(({ feature }) => feature)
  const asleep = outside.plugins.filter(({ isAsleep }) => isAsleep)
  const read = Object.keys(registry).filter(it => asleep.every(({ feature }) => feature !== it))
  const all = await loadPlugins(registry, read, features)
  const { plugins, leftOut: apart } = await loadPlugins(
    registry,
    on.filter(it => it in registry),
    features,
  )
  const installed = plugins.filter(({ feature }) => features.includes(feature))
  const leftOut = { ...apart, ...(await tryPlugins(ours, installed)) }
  const isOurs = (name: string) => name in ours.registry && !features.includes(name)
  const broken = (name: string, why: string): Line => ({
    state: 'broken',
    name,
    about: `Does not run: ${why}.`,
    isOurs: isOurs(name),
  })
  return [
    ...all.plugins
      .filter(({ feature }) => leftOut[feature] === undefined)
      .map(
        ({ feature, about }): Line => ({
          state: on.includes(feature) ? 'on' : 'off',
          name: feature,
          about: `${about}${origin(feature, outside)}`,
          isOurs: isOurs(feature),
        }),
      ),
    ...asleep.map(({ feature, description }): Line => {
      const about = [description ?? '', origin(feature, outside)].join('').trim()
      return { state: 'off', name: feature, about, isOurs: false }
    }),
    ...Object.entries(leftOut).map(([name, why]) => broken(name, why)),
    ...outside.broken.map(({ name, problem }) => broken(name, problem)),
    ...unread(pluginsFolder(server), outside),
  ]
}

/** The plugins that an admin switched. Undefined if plugins were installed before the first start. */
async function readSwitches(ours: Setting, server: ServerSettings) {
  const isNew = !hasInstance(server)
  if (isNew && existsSync(pluginsFolder(server))) return undefined
  return withInstance(ours, async ({ settings }) => settings.read().plugins)
}

/** `linnet plugins list --outdated` */
export async function listOutdated(setting: Setting, asJson = false): Promise<void> {
  const folder = pluginsFolder(readEnvironment(setting))
  if (!hasPackages(folder)) return asJson ? writeJson([]) : tellNoPackages(folder)
  const outdated = await findOutdated(folder)
  if (asJson) return writeJson(outdated)
  if (outdated.length === 0) process.stdout.write('All installed plugins are up to date.\n')
  for (const { name, current, wanted, latest } of outdated) {
    const way =
      current === wanted ? `linnet plugins add ${name}@${latest}` : `linnet plugins update ${name}`
    process.stdout.write(`${name} ${current}, and there is ${latest}: ${way}\n`)
  }
}

/** Names the folder, because the wrong one may be set. */
export function tellNoPackages(folder: string): void {
  say(`No packages are installed in ${folder}.\n`, [])
}

function origin(feature: string, { plugins }: Outside): string {
  const found = plugins.find(it => it.feature === feature)
  if (!found) return ''
  return ` (${[found.name, found.version].filter(Boolean).join(' ')})`
}

/** The packages that are not loaded because of `PLUGINS`, so that their features are unknown. */
function unread(folder: string, { plugins, broken }: Outside): readonly Line[] {
  if (plugins.length > 0 || broken.length > 0) return []
  return findPlugins(folder).map(({ name }) => ({
    state: 'off',
    name,
    about: 'Not loaded, because PLUGINS does not list it.',
    isOurs: false,
  }))
}

function write(heading: string, lines: readonly Line[]): void {
  if (lines.length === 0) return
  const width = Math.max(...lines.map(({ name }) => name.length))
  process.stdout.write(`${heading}\n`)
  for (const { state, name, about } of lines) {
    process.stdout.write(`${state.padEnd(3)}  ${name.padEnd(width)}  ${about}\n`)
  }
  process.stdout.write('\n')
}

/** What stands before the dot in the name of a feature. */
function categoryOf({ name }: Line): string {
  return name.slice(0, name.indexOf('.'))
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
