import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkPlugin } from '../kernel/load/check-plugin.ts'
import type { BrokenPlugin, Outside, OutsidePlugin } from '../kernel/load/outside-plugins.ts'
import type { Plugin, Registry } from '../plugin.ts'
import { type Found, findPlugins, markOf, UnreadableFolder } from './find-plugins.ts'
import { importPlugin, versionedUrl } from './import-plugin.ts'
import { resolveLinnet } from './resolve-linnet.ts'
import { type WhyNot, whyNotImported } from './why-not-imported.ts'
import { whyUnfit } from './why-unfit.ts'

/**
 * Imports the plugins in the folder, except those that are off and name their feature in their package. What is not a
 * plugin comes back as broken, with what is wrong.
 *
 * @param program the folder of the running program
 * @param version the version of Linnet
 * @param ours the features that come with Linnet
 */
export async function loadOutside(
  folder: string,
  {
    program,
    version,
    ours,
    isOff = () => false,
  }: {
    readonly program: URL
    readonly version: string
    readonly ours: readonly string[]
    readonly isOff?: (feature: string) => boolean
  },
): Promise<Outside> {
  const found = findAll(folder)
  if ('problem' in found) return { plugins: [], broken: [found] }
  if (found.length > 0) await resolveLinnet(program)
  const loaded = await Promise.all(
    found.map(it => {
      const isAsleep = it.feature !== null && isOff(it.feature)
      const problem = whyUnfit(it.needs, version)
      const fit = problem === undefined ? it : { ...it, entry: { problem } }
      return load(fit, markOf(folder, it), isAsleep)
    }),
  )
  const taken = new Map(ours.map(feature => [feature, 'Linnet']))
  const plugins: OutsidePlugin[] = []
  const broken: BrokenPlugin[] = []
  for (const it of loaded) {
    if ('problem' in it) {
      broken.push(it)
      continue
    }
    const { feature } = it
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
    plugins.map(({ feature, read }) => [feature, async () => ({ default: await read() })]),
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
  { entry, feature, needs: _, ...rest }: Found,
  mark: string,
  isAsleep: boolean,
): Promise<OutsidePlugin | BrokenPlugin> {
  const { name, version, root } = rest
  if ('problem' in entry) return { name, version, problem: entry.problem }
  const url = versionedUrl(entry.file, mark)
  const read = () => readPlugin(url, { file: entry.file, folder: homeOf(root), feature })
  if (isAsleep && feature !== null) {
    const readOrThrow = async () => {
      const it = await read()
      if ('problem' in it) throw new Error(it.problem)
      return it.plugin
    }
    return { ...rest, url, feature, isAsleep, read: readOrThrow }
  }
  const it = await read()
  if ('problem' in it) return { name, version, ...it }
  const { plugin } = it
  return { ...rest, url, feature: plugin.feature, isAsleep, read: async () => plugin }
}

async function readPlugin(
  url: string,
  {
    file,
    folder,
    feature,
  }: { readonly file: string; readonly folder: string; readonly feature: string | null },
): Promise<{ readonly plugin: Plugin } | WhyNot> {
  try {
    const plugin = (await importPlugin(url)) as Plugin
    const problem = whatIsWrong(plugin)
    if (problem !== undefined) return { problem: isCommonJs(file) ? commonJs : problem }
    if (feature === null || plugin.feature === feature) return { plugin }
    return {
      problem: `its package.json says that it provides ${feature}, but it provides ${plugin.feature}`,
    }
  } catch (error) {
    return isCommonJs(file) ? { problem: commonJs } : whyNotImported(error, file, folder)
  }
}

const commonJs =
  'it is CommonJS, and a plugin is an ES module: write import and export, and "type": "module" in its package.json'

/** Whether a file says nothing that only ES modules may say, but what they cannot. */
function isCommonJs(file: string): boolean {
  if (!existsSync(file)) return false
  const code = readFileSync(file, 'utf8')
  return !/(^|[;}])\s*(import|export)\b/m.test(code) && /\b(exports|require)\b/.test(code)
}

/** The folder of a package, or the folder that contains a single file. */
function homeOf(root: string): string {
  return statSync(root, { throwIfNoEntry: false })?.isFile() ? dirname(root) : root
}

/** All mistakes in its shape, each saying "it" instead of its name. */
function whatIsWrong(plugin: unknown): string | undefined {
  const { feature = 'it' } = (plugin ?? {}) as Partial<Plugin>
  const mistakes = checkPlugin(plugin, String(feature))
  if (mistakes.length === 0) return undefined
  return mistakes
    .map(mistake => mistake.replace(String(feature), 'it').replace(/\.$/, ''))
    .join('; ')
}
