import type { Plugin } from '../../core/plugin.ts'
import { boot, type Harness, type HarnessOptions } from '../harness.ts'
import { registry } from '../inside.ts'

/** Every plugin that comes with Linnet. */
export const plugins: readonly Plugin[] = await Promise.all(
  Object.values(registry).map(async load => (await load()).default),
)

/** Starts Linnet with all its plugins. */
export function bootAll(options: HarnessOptions = {}): Promise<Harness> {
  return boot(plugins, options)
}
