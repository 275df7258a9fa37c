import type { Plugin } from '../../core/plugin.ts'
import { registry } from '../inside.ts'

/** Every plugin that comes with Linnet. */
export const plugins: readonly Plugin[] = await Promise.all(
  Object.values(registry).map(async load => (await load()).default),
)
