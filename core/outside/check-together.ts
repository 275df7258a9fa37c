import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { loadPlugins } from '../kernel/load/load-plugins.ts'
import type { OutsidePlugin } from '../kernel/load/outside-plugins.ts'
import { within } from '../lib/async/within.ts'
import type { Plugin, Registry } from '../plugin.ts'
import { findPlugins } from './find-plugins.ts'
import { importMs, tooSlow } from './import-plugin.ts'
import { loadOutside, registryOf } from './load-outside.ts'
import { InstallFailed } from './npm.ts'
import { linnetUrls } from './resolve-linnet.ts'
import { whyNotWhole } from './why-unfit.ts'

/** What plugins from outside must work with. */
export interface Ours {
  readonly registry: Registry
  /** The folder of the running program. */
  readonly program: URL
  /** The version of Linnet. */
  readonly version: string
  /** Why a plugin cannot be used with the settings and tables that there are: the end of "It cannot be used: …". */
  readonly whyNot?: (plugin: Plugin) => Promise<string | undefined>
}

/**
 * Load all plugins, as at startup. Throws `InstallFailed` if one of the named plugins cannot be used or displaces
 * another.
 */
export async function checkTogether(
  folder: string,
  names: readonly string[],
  { registry, program, version, whyNot }: Ours,
): Promise<readonly OutsidePlugin[]> {
  await expectLoadable(folder, names, program)
  const ours = Object.keys(registry)
  const { plugins, broken } = await loadOutside(folder, { program, version, ours })
  const leftOut = await whatIsLeftOut(registry, plugins)
  const others = plugins.filter(({ name }) => !names.includes(name))
  const wasLeftOut = await whatIsLeftOut(registry, others)
  const ousted = others.find(({ feature }) => feature in leftOut && !(feature in wasLeftOut))
  if (ousted) {
    const why = leftOut[ousted.feature]
    throw new InstallFailed(
      `${names.join(', ')} cannot be used together with ${ousted.name}: ${why}. Nothing was changed.`,
    )
  }
  for (const { name, rival } of broken) {
    if (rival === undefined || !names.includes(rival.name) || names.includes(name)) continue
    throw new InstallFailed(
      `${rival.name} cannot be used: it provides ${rival.feature}, which ${name} already provides. Nothing was changed.`,
    )
  }
  const named: OutsidePlugin[] = []
  for (const name of names) {
    const plugin = plugins.find(it => it.name === name)
    const problem =
      broken.find(it => it.name === name)?.problem ??
      (plugin && (leftOut[plugin.feature] ?? (await whyNot?.(await plugin.read()))))
    if (plugin && problem === undefined) {
      named.push(plugin)
      continue
    }
    throw new InstallFailed(
      problem === undefined
        ? `${name} is not a Linnet plugin: its package.json has no "linnet": { "plugin": "./index.js", "api": "^1" }.`
        : `${name} cannot be used: ${problem}. Nothing was changed.`,
    )
  }
  return named
}

/** Throws `InstallFailed` if one of them is not whole, or if importing it never ends, before that is tried on this thread. */
async function expectLoadable(
  folder: string,
  names: readonly string[],
  program: URL,
): Promise<void> {
  for (const { name, entry, needs, root } of findPlugins(folder)) {
    if (!names.includes(name)) continue
    const problem = whyNotWhole(root, needs)
    if (problem !== undefined) {
      throw new InstallFailed(`${name} cannot be used: ${problem}. Nothing was changed.`)
    }
    if ('problem' in entry) continue
    if (await importEnds(entry.file, program)) continue
    throw new InstallFailed(
      `${name} cannot be used: loading it fails: ${tooSlow}. Nothing was changed.`,
    )
  }
}

async function whatIsLeftOut(
  ours: Registry,
  plugins: readonly OutsidePlugin[],
): Promise<Readonly<Record<string, string>>> {
  const registry = { ...ours, ...registryOf(plugins) }
  const features = plugins.map(({ feature }) => feature)
  return (await loadPlugins(registry, Object.keys(registry), features)).leftOut
}

/** What the thread runs. It says nothing of a failure: whoever imports the file next is told all about it. */
const source = `
const { registerHooks } = require('node:module')
const { workerData: { url, urls } } = require('node:worker_threads')
registerHooks({
  resolve: (name, context, next) =>
    Object.hasOwn(urls, name)
      ? { url: urls[name], format: 'module', shortCircuit: true }
      : next(name, context),
})
import(url).catch(() => undefined).finally(() => process.exit())
`

/**
 * Whether the import of a file comes to an end in time. It runs in a thread, which can be ended: in this one, an endless
 * loop could not.
 *
 * @param program the folder of the running program
 */
async function importEnds(file: string, program: URL): Promise<boolean> {
  const workerData = {
    url: pathToFileURL(file).href,
    urls: Object.fromEntries(linnetUrls(program)),
  }
  const thread = new Worker(source, { eval: true, workerData, stdout: true, stderr: true })
  const ended = once(thread, 'exit').then(
    () => true,
    () => true,
  )
  const isOver = await within(importMs, ended, false)
  await thread.terminate()
  return isOver
}
