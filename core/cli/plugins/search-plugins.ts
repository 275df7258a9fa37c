import { showHidden } from '../../lib/text/shown.ts'
import { UserError } from '../../lib/user-error.ts'
import { type ListedPlugin, pluginIndex, searchIndex } from '../../outside/plugin-index.ts'
import { readEnvironment } from '../find-instance.ts'
import { writeJson } from '../output.ts'
import type { Setting } from '../setting.ts'

/** `linnet plugins search` */
export async function searchPlugins(
  setting: Setting,
  words: readonly string[],
  asJson = false,
): Promise<void> {
  const address = readEnvironment(setting).pluginIndex
  if (address === undefined) throw new UserError(noIndex)
  const { plugins, unreadable } = await pluginIndex(address, setting.version).read()
  const found = searchIndex(plugins, words)
  if (asJson) return writeJson(found)
  if (found.length === 0) process.stdout.write('No plugin in the index has these words.\n')
  for (const plugin of found) process.stdout.write(describe(plugin))
  if (unreadable > 0) {
    process.stderr.write(
      `Entries of the index that cannot be read, and are left out: ${unreadable}\n`,
    )
  }
}

const noIndex =
  'No index of plugins is set: LINNET_PLUGIN_INDEX has its URL. Without one, search the npm registry: npm search keywords:linnet-plugin'

function describe(plugin: ListedPlugin): string {
  const { name, version, problem, about, license, released, reads, unstable, verified } = plugin
  const way =
    problem === null ? `linnet plugins add ${name}@${version}` : `Cannot be used: ${problem}.`
  const facts = [
    license,
    `released ${released}`,
    ...(reads.length === 0 ? [] : [`reads ${reads.join(', ')}`]),
    ...(unstable.length === 0 ? [] : [`uses unstable ${unstable.join(', ')}`]),
  ]
  const mark =
    verified === null ? '' : `  Verified by ${verified.by}: ${showHidden(verified.provenance)}\n`
  return `${name}  ${about}\n  ${facts.join(' · ')}\n${mark}  ${way}\n\n`
}
