import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Refusal, refuse } from '../../outcomes.ts'
import { type Found, findPlugins, markOf, UnreadableFolder } from '../../outside/find-plugins.ts'
import type { Installed, PluginPackages } from '../../outside/packages.ts'
import { readSpec } from '../../outside/source.ts'
import type { ServerSettings } from '../settings-from-env.ts'
import { pluginsFolder, type WholeSetting } from './with-outside.ts'

/**
 * The folder of plugins for the API of a server that has just read it. What is changed goes through the
 * command line, in a process of its own: no code of a new plugin is run in this one.
 */
export function packagesOverApi(setting: WholeSetting, server: ServerSettings): PluginPackages {
  const folder = pluginsFolder(server)
  const { plugins, broken } = setting.outside
  const atStart = new Map(findAll(folder).map(it => [it.name, markOf(folder, it)]))

  function show(found: Found): Installed {
    const { name, version, entry } = found
    const isSame = atStart.get(name) === markOf(folder, found)
    const problem = isSame ? broken.find(it => it.name === name)?.problem : undefined
    return {
      name,
      version,
      feature: plugins.find(it => it.name === name)?.plugin.feature ?? null,
      problem: 'problem' in entry ? entry.problem : (problem ?? null),
      restartNeeded: !isSame,
    }
  }

  const list = () => findAll(folder).map(show)

  return {
    isChangeable: server.installsPlugins,
    list,
    async add(spec) {
      const refused = await run(setting, 'add', spec)
      if (refused) return refused
      const name = readSpec(spec)?.name
      return list().find(it => it.name === name) ?? refuseWith('It was removed again meanwhile.')
    },
    remove: name => run(setting, 'remove', name),
  }
}

/** Nothing to list is no reason to answer 500: log and `GET /admin/plugins` say what is wrong with the folder. */
function findAll(folder: string): readonly Found[] {
  try {
    return findPlugins(folder)
  } catch (error) {
    if (error instanceof UnreadableFolder) return []
    throw error
  }
}

/** Refused with what the command says. */
async function run(
  { programUrl, env }: WholeSetting,
  command: 'add' | 'remove',
  plugin: string,
): Promise<Refusal | undefined> {
  const args = [fileURLToPath(programUrl), 'plugins', command, '--', plugin]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  const said = await text(child.stderr)
  const [code] = await ended
  return code === 0 ? undefined : refuseWith(said.trim())
}

function refuseWith(detail: string): Refusal {
  return refuse('plugin_unusable', detail, 409, 'package')
}
