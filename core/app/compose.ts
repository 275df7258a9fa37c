import { makeLastingParts, type RunOptions } from './lasting-parts.ts'
import { lendServices } from './lend-services.ts'
import { makeSet } from './make-set.ts'
import { createSwitcher } from './switching/create-switcher.ts'
import type { PluginSet, PluginSets } from './switching/plugin-set.ts'

/**
 * Makes all parts of the app: those that last while plugins are switched, the services for plugins, and those that each
 * set of running plugins has of its own.
 */
export function compose(options: RunOptions) {
  const sets = createSets(plugins => makeSet(options, { ...parts, switcher }, plugins))
  const parts = makeLastingParts(options, sets)
  const services = lendServices(options, parts, sets)
  const switcher = createSwitcher({ ...options, ...parts, services }, sets)
  return { ...parts, sets, switcher }
}

/** Sets of plugins, one of which is running. */
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
