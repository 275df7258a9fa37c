import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { OutsidePlugin } from '../kernel/load/outside-plugins.ts'
import { meant } from '../lib/text/nearest-name.ts'
import { changeFolder } from './change-folder.ts'
import { checkTogether, type Ours } from './check-together.ts'
import { dependenciesOf, findPlugins } from './find-plugins.ts'
import { newestThatFits } from './newest-that-fits.ts'
import { InstallFailed, runNpm } from './npm.ts'
import { readSpec, type Source, specOf } from './source.ts'

/** Install a plugin, or another version of it, if it can be loaded together with all others. Throws `InstallFailed`. */
export function addPlugin(folder: string, source: Source, ours: Ours): Promise<OutsidePlugin> {
  return changeFolder(folder, async copy => {
    const spec = await specOf(source, copy)
    await runNpm(copy, ['install', spec])
    dropUnused(copy)
    const added = source.kind === 'registry' ? source.name : nameOf(spec, copy)
    const [plugin] = await checkTogether(copy, [added], ours)
    return plugin as OutsidePlugin
  })
}

/**
 * Install the newest versions that the ranges of `package.json` allow, of the named packages or of all; returns the
 * plugins that changed. Throws `InstallFailed`.
 */
export function updatePlugins(
  folder: string,
  names: readonly string[],
  ours: Ours,
): Promise<readonly OutsidePlugin[]> {
  return changeFolder(folder, async copy => {
    const before = new Map(findPlugins(copy).map(({ name, version }) => [name, version]))
    await runNpm(copy, ['update', ...names])
    const updated = findPlugins(copy).filter(it => before.get(it.name) !== it.version)
    for (const { name } of updated) await takeBack(copy, name, ours)
    const changed = findPlugins(copy).filter(it => before.get(it.name) !== it.version)
    return checkTogether(
      copy,
      changed.map(({ name }) => name),
      ours,
    )
  })
}

/** Installs the newest version within its range that fits instead, if the newest of all does not. */
async function takeBack(folder: string, name: string, { version }: Ours): Promise<void> {
  const within = readSpec(`${name}@${dependenciesOf(folder)[name]}`)
  if (!within) return
  const { source } = await newestThatFits(within, version)
  if (source.kind === 'registry' && source.spec !== within.spec) {
    await runNpm(folder, ['install', source.spec])
  }
}

/** Remove a package and everything that only it needs, or a single file. Data that it stored stays. */
export async function removePlugin(folder: string, name: string): Promise<void> {
  if (!Object.hasOwn(dependenciesOf(folder), name)) {
    rmSync(join(folder, name))
    return
  }
  await changeFolder(folder, async copy => {
    await runNpm(copy, ['uninstall', name])
    dropUnused(copy)
  })
}

/** A package with a newer version. */
export interface Outdated {
  readonly name: string
  readonly current: string
  /** The newest version that the range in `package.json` allows. */
  readonly wanted: string
  readonly latest: string
}

/** Ask the npm registry for newer versions. Throws `InstallFailed`. */
export async function findOutdated(folder: string): Promise<readonly Outdated[]> {
  const found = await runNpm(folder, ['outdated'])
  const entries = Object.entries((found ?? {}) as Record<string, Partial<Outdated>>)
  return entries.map(([name, { current = '', wanted = '', latest = '' }]) => ({
    name,
    current,
    wanted,
    latest,
  }))
}

/** Throws `InstallFailed` if there is neither a package nor a single file with this name. */
export function expectInstalled(folder: string, name: string): void {
  const plugins = findPlugins(folder)
  const names = [...plugins.map(it => it.name), ...Object.keys(dependenciesOf(folder))]
  if (names.includes(name)) return
  const provider = plugins.find(({ feature }) => feature === name)?.name
  const remedy =
    provider === undefined
      ? meant(name, names, 'See linnet plugins list.')
      : `The package that provides it is ${provider}.`
  throw new InstallFailed(`${name} is not installed in ${folder}. ${remedy}`)
}

/** Whether packages are installed there. Single files are not packages. */
export function hasPackages(folder: string): boolean {
  return Object.keys(dependenciesOf(folder)).length > 0
}

function nameOf(spec: string, folder: string): string {
  const [name = ''] = Object.entries(dependenciesOf(folder)).find(it => it[1] === spec) ?? []
  return name
}

/** Remove archives that no installed package comes from any more. */
function dropUnused(folder: string): void {
  const used = Object.values(dependenciesOf(folder))
  const packages = join(folder, 'packages')
  for (const name of readdirSync(packages)) {
    if (!used.includes(`file:packages/${name}`)) rmSync(join(packages, name))
  }
}
