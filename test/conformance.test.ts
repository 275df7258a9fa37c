import { describe, it } from 'vitest'
import type { Plugin } from '../core/plugin.ts'
import { registry } from '../plugins/index.ts'
import { conformance } from './conformance.ts'

const plugins = await Promise.all(
  Object.values(registry).map(async load => (await load()).default as Plugin),
)

/** The plugins that one needs, with what those need, in order. */
function needsOf(plugin: Plugin): Plugin[] {
  const needed = plugins.filter(({ feature }) => plugin.needs?.includes(feature))
  return [...new Set(needed.flatMap(it => [...needsOf(it), it]))]
}

describe.each(plugins.map(plugin => [plugin.feature, plugin] as const))('%s', (_, plugin) => {
  for (const { name, run } of conformance(plugin, { with: needsOf(plugin) })) it(name, run)
})
