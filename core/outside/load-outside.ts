import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkPlugin } from '../kernel/load/check-plugin.ts'
import type { Plugin, Registry } from '../plugin.ts'
import { type Found, findPlugins, markOf, UnreadableFolder } from './find-plugins.ts'
import { importPlugin, versionedUrl } from './import-plugin.ts'
import { resolveLinnet } from './resolve-linnet.ts'
import { whyNotImported } from './why-not-imported.ts'

/** A plugin from outside, imported and found to be one. */
export interface OutsidePlugin {
  /** Of the package, or of the file. */
  readonly name: string
  /** Of the package. */
  readonly version: string | null
  readonly root: string
  /** What is imported, with the version in it. */
  readonly url: string
  /** Tells this version from others of the same name. */
  readonly mark: string
  readonly plugin: Plugin
}

/** One that cannot be loaded, so that not even its feature is known. */
export interface BrokenPlugin {
  readonly name: string
  readonly version: string | null
  /** Ends the sentence "It is left out: …". */
  readonly problem: string
  /** Where its code failed. */
  readonly stack?: string
  /** Of what brings the same feature and was found first. */
  readonly rival?: { readonly name: string; readonly feature: string }
}

/** What somebody put into the folder of plugins. */
export interface Outside {
  readonly plugins: readonly OutsidePlugin[]
  readonly broken: readonly BrokenPlugin[]
}

export const nothingOutside: Outside = { plugins: [], broken: [] }

/**
 * Import what lies in the folder of plugins; what is no plugin comes back as broken, each with what is wrong.
 *
 * @param program the folder of the running program
 * @param ours the features that come with Linnet
 */
export async function loadOutside(
  folder: string,
  { program, ours }: { readonly program: URL; readonly ours: readonly string[] },
): Promise<Outside> {
  const found = findAll(folder)
  if ('problem' in found) return { plugins: [], broken: [found] }
  if (found.length > 0) resolveLinnet(program)
  const loaded = await Promise.all(found.map(it => load(it, markOf(folder, it))))
  const taken = new Map(ours.map(feature => [feature, 'Linnet']))
  const plugins: OutsidePlugin[] = []
  const broken: BrokenPlugin[] = []
  for (const it of loaded) {
    if ('problem' in it) {
      broken.push(it)
      continue
    }
    const { feature } = it.plugin
    const owner = taken.get(feature)
    if (owner === undefined) {
      taken.set(feature, it.name)
      plugins.push(it)
    } else {
      const { name, version } = it
      const problem = `it provides ${feature}, which ${owner} already provides`
      broken.push({ name, version, problem, rival: { name: owner, feature } })
    }
  }
  return { plugins, broken }
}

/** The registry of plugins from outside, by feature. */
export function registryOf(plugins: readonly OutsidePlugin[]): Registry {
  return Object.fromEntries(
    plugins.map(({ plugin }) => [plugin.feature, async () => ({ default: plugin })]),
  )
}

function findAll(folder: string): readonly Found[] | BrokenPlugin {
  try {
    return findPlugins(folder)
  } catch (error) {
    if (!(error instanceof UnreadableFolder)) throw error
    return { name: 'package.json', version: null, problem: error.message.replace(/\.$/, '') }
  }
}

async function load(
  { name, version, root, entry }: Found,
  mark: string,
): Promise<OutsidePlugin | BrokenPlugin> {
  if ('problem' in entry) return { name, version, problem: entry.problem }
  const url = versionedUrl(entry.file, mark)
  try {
    const plugin = await importPlugin(url)
    const problem = whatIsWrong(plugin)
    return problem === undefined
      ? { name, version, root, url, mark, plugin: plugin as Plugin }
      : { name, version, problem }
  } catch (error) {
    return { name, version, ...whyNotImported(error, entry.file, homeOf(root)) }
  }
}

/** The folder of a package, or the one that a single file is in. */
function homeOf(root: string): string {
  return statSync(root, { throwIfNoEntry: false })?.isFile() ? dirname(root) : root
}

/** All mistakes of its shape, each said of "it". */
function whatIsWrong(plugin: unknown): string | undefined {
  const { feature = 'it' } = (plugin ?? {}) as Partial<Plugin>
  const mistakes = checkPlugin(plugin, String(feature))
  if (mistakes.length === 0) return undefined
  return mistakes
    .map(mistake => mistake.replace(String(feature), 'it').replace(/\.$/, ''))
    .join('; ')
}
