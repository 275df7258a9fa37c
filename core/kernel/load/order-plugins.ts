import type { Plugin } from '../../plugin.ts'

/**
 * Keeps the registry's order, but puts in front of a plugin those that it needs, runs after, or that ask to run before
 * it. Returns missing plugins and circles as sentences.
 */
export function orderPlugins(plugins: readonly Plugin[]): {
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
      else mistakes.push(`${plugin.feature} needs ${need}. Switch that on too, or switch this off.`)
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
