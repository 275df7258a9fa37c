import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { findOutdated } from '../../outside/change-plugins.ts'
import { type Found, findPlugins, UnreadableFolder } from '../../outside/find-plugins.ts'
import { InstallFailed, withoutNpm } from '../../outside/npm.ts'
import type { PluginPackages } from '../../outside/packages.ts'
import { pluginIndex } from '../../outside/plugin-index.ts'
import { readSpec } from '../../outside/source.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'
import { pluginsFolder } from './with-outside.ts'

/**
 * The folder of plugins for the API. Changes run the command line in a process of its own, so that an unusable plugin
 * never gets into this process.
 */
export function packagesOverApi(setting: Setting, server: ServerSettings): PluginPackages {
  const folder = pluginsFolder(server)
  return {
    isChangeable: server.installsPlugins,
    index:
      server.pluginIndex === undefined
        ? undefined
        : pluginIndex(server.pluginIndex, setting.version),
    list: () =>
      findAll(folder).map(({ name, version, entry }) => ({
        name,
        version,
        problem: 'problem' in entry ? entry.problem : null,
      })),
    async add(spec, signal) {
      const read = readSpec(spec)
      const refused = await run(setting, 'add', read?.spec ?? spec, signal)
      return refused ?? { name: read?.name ?? spec }
    },
    remove: (name, signal) => run(setting, 'remove', name, signal),
    async findOutdated() {
      if (findAll(folder).length === 0) return []
      try {
        return await findOutdated(folder)
      } catch (error) {
        if (error instanceof InstallFailed) return refuseWith(withoutNpm(error.message))
        throw error
      }
    },
  }
}

/** Empty if the folder cannot be read, instead of a 500: the log and `GET /admin/plugins` say what is wrong with it. */
function findAll(folder: string): readonly Found[] {
  try {
    return findPlugins(folder)
  } catch (error) {
    if (error instanceof UnreadableFolder) return []
    throw error
  }
}

/** Runs the command. If it fails for a reason that it tells, its message is the refusal. */
async function run(
  { programUrl, env }: Setting,
  command: 'add' | 'remove',
  plugin: string,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const args = [fileURLToPath(programUrl), 'plugins', command, '--', plugin]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  signal.addEventListener('abort', () => child.kill())
  const output = await text(child.stderr)
  const [code] = await ended
  if (code === 0) return undefined
  if (code === 1) return refuseWith(withoutNpm(output))
  return refuseWith(`linnet plugins ${command} failed. Run it on the server to see why.`)
}

function refuseWith(detail: string): Refusal {
  return refuse('plugin_unusable', detail, 409, 'package')
}
