import { useSuspenseQuery } from '@tanstack/react-query'
import { type Manifest, manifestQuery } from '../../../api/instance/manifest.ts'

/** One thing that is counted, as the manifest tells it. */
export interface Dimension {
  readonly name: string
  readonly label: string
  readonly chart: string
  /** Who must be named where it is shown. */
  readonly attribution: { readonly text: string; readonly url: string } | null
}

/** What there is to show, by how it is shown. */
export interface Charts {
  readonly numbers: readonly Dimension[]
  readonly lines: readonly Dimension[]
  /** Those of one plugin share a panel. */
  readonly panels: readonly (readonly Dimension[])[]
  /** What is counted for others, but not for this account, in the words of its plugins. */
  readonly barred: readonly string[]
}

/** The charts that the plugins bring. */
export function useCharts(): Charts {
  return useSuspenseQuery({ ...manifestQuery, select: chartsOf }).data
}

function chartsOf(plugins: Manifest): Charts {
  const all = plugins.flatMap(({ dimensions }) => dimensions)
  const panels = plugins.map(({ dimensions }) => dimensions.filter(hasValues))
  return {
    numbers: all.filter(({ chart }) => chart === 'number'),
    lines: all.filter(({ chart }) => chart === 'line'),
    panels: panels.filter(panel => panel.length > 0),
    barred: plugins.filter(isBarred).map(({ about }) => about),
  }
}

function hasValues({ chart }: Dimension): boolean {
  return chart !== 'number' && chart !== 'line'
}

/** The manifest tells no dimensions of what the plan lacks: what the plugin is called must do. */
function isBarred({ feature, enabled }: { readonly feature: string; readonly enabled: boolean }) {
  return !enabled && feature.startsWith('analytics.')
}
