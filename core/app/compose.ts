import { makeLastingParts, type RunOptions } from './lasting-parts.ts'
import { lendServices } from './lend-services.ts'
import { makeSet } from './make-set.ts'
import { createSwitcher } from './switching/create-switcher.ts'
import type { PluginSet, PluginSets } from './switching/plugin-set.ts'

/**
 * Everything the app is made of: what stays while plugins are switched, what plugins are lent, and what is made anew
 * for each set of plugins that run together.
 */
export function compose(options: RunOptions) {
  const sets = createSets(plugins => makeSet(options, { ...parts, switcher }, plugins))
  const parts = makeLastingParts(options, sets)
  const services = lendServices(options, parts, sets)
  const switcher = createSwitcher({ ...options, ...parts, services }, sets)
  return { ...parts, sets, switcher }
}

/** Sets of plugins, of which one runs. */
function createSets(make: PluginSets['make']): PluginSets {
  let running: PluginSet | undefined
  return {
    make,
    now() {
      if (!running) throw new Error('No plugins run yet.')
      return running
    },
    use(set) {
      running = set
    },
  }
}
