import { meant } from '../../lib/text/nearest-name.ts'
import type { Plugin } from '../../plugin.ts'

/**
 * Keeps the registry's order, but puts in front of a plugin those that it needs, runs after, or that ask to run before
 * it. Returns missing plugins and circles as sentences.
 *
 * @param known features of all plugins that there are, also of those that are off
 */
export function orderPlugins(
  plugins: readonly Plugin[],
  known: readonly string[] = [],
): {
  readonly plugins: readonly Plugin[]
  readonly mistakes: readonly string[]
} {
  const byFeature = new Map<string, Plugin>(plugins.map(plugin => [plugin.feature, plugin]))
  const ordered = new Set<Plugin>()
  const mistakes: string[] = []

  function place(plugin: Plugin, path: readonly string[]): void {
    if (ordered.has(plugin)) return
    if (path.includes(plugin.feature)) {
      const circle = [...path.slice(path.indexOf(plugin.feature)), plugin.feature]
      mistakes.push(
        `Plugins wait for each other in a circle: ${circle.join(' -> ')}. Remove one need, "before" or "after".`,
      )
      return
    }
    const waits = [...path, plugin.feature]
    for (const other of plugins) {
      if (other.before?.includes(plugin.feature)) place(other, waits)
    }
    for (const need of plugin.needs ?? []) {
      const needed = byFeature.get(need)
      if (needed) place(needed, waits)
      else mistakes.push(`${plugin.feature} ${lacking(need, known)}`)
    }
    for (const feature of plugin.after ?? []) {
      const earlier = byFeature.get(feature)
      if (earlier) place(earlier, waits)
    }
    ordered.add(plugin)
  }

  for (const plugin of plugins) place(plugin, [])
  return { plugins: [...ordered], mistakes: [...new Set(mistakes)] }
}

function lacking(need: string, known: readonly string[]): string {
  if (known.includes(need)) return `needs ${need}. Switch that on too, or switch this off.`
  return `has ${need} in needs, which no plugin here is called. ${meant(need, known, 'Install that plugin first, or correct the name.')}`
}
