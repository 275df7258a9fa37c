import { inject } from 'vitest'
import { loadOutside } from '../../core/outside/load-outside.ts'
import { version } from '../../package.json'
import { registry } from '../../plugins/index.ts'
import { beRunning } from './running-linnet.ts'

if ('organization.tags' in registry) throw new Error('The tags are still in the tree.')

const { folder, program } = inject('installed')

beRunning()

/** The content of the plugins folder: the tags. */
export const outside = await loadOutside(folder, {
  program: new URL(program),
  version,
  ours: Object.keys(registry),
})

const [tags] = outside.plugins
if (tags === undefined) throw new Error(outside.broken.map(({ problem }) => problem).join())

export default await tags.read()
