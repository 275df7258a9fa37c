import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPlugin } from '../kernel/load/load-plugins.ts'
import { definePlugin, type Plugin, type Registry } from '../plugin.ts'
import type { Counting, FromOutside } from '../visits/collect/serve-writer.ts'
import { importPlugin } from './import-plugin.ts'
import { resolveLinnet } from './resolve-linnet.ts'
import { whyNotImported } from './why-not-imported.ts'

/**
 * Imports the plugins that the recorder's thread counts by, in running order. That they work together was checked on
 * the main thread. Throws if a plugin that comes with Linnet cannot be read.
 *
 * @param program the folder of the running program
 */
export async function loadInThread(
  registry: Registry,
  { features, outside }: Pick<Counting, 'features' | 'outside'>,
  program: URL,
): Promise<readonly Plugin[]> {
  if (outside.length > 0) await resolveLinnet(program)
  const loaded = await Promise.all(
    features.map(feature => {
      const other = outside.find(it => it.feature === feature)
      return loadPlugin(
        feature,
        other
          ? async () => ({ default: await read(other) })
          : (registry[feature] as Registry[string]),
      )
    }),
  )
  const mistakes = loaded.flatMap(it => it.mistakes)
  if (mistakes.length > 0) throw new Error(mistakes.join(' '))
  return loaded.flatMap(({ plugin }) => plugin ?? [])
}

async function read(plugin: FromOutside): Promise<Plugin> {
  if (plugin.problem !== undefined) return standIn(plugin, plugin.problem)
  try {
    return (await importPlugin(plugin.url)) as Plugin
  } catch (error) {
    const file = fileURLToPath(plugin.url)
    return standIn(plugin, whyNotImported(error, file, dirname(file)).problem)
  }
}

/**
 * Stands in for a plugin that must not be run, or that can no longer be read, such as one removed since startup. It
 * fails at each visit, so that log and health report it.
 */
function standIn({ feature, dimensions }: FromOutside, why: string): Plugin {
  const of = () => {
    throw new Error(why)
  }
  return definePlugin({
    feature: feature as Plugin['feature'],
    about: 'Takes the place of a plugin that does not respond.',
    dimensions: Object.fromEntries(dimensions.map(name => [name, { label: name, of }])),
  })
}
