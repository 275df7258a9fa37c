import { useSuspenseQuery } from '@tanstack/react-query'
import { type Manifest, manifestQuery } from '../../../api/instance/manifest.ts'

/** One dimension, as the manifest describes it. */
export interface Dimension {
  readonly name: string
  readonly label: string
  readonly chart: string
  /** The attribution that must be shown with it. */
  readonly attribution: { readonly text: string; readonly url: string } | null
}

/** The dimensions to show, by kind of chart. */
export interface Charts {
  readonly numbers: readonly Dimension[]
  readonly lines: readonly Dimension[]
  /** Dimensions of the same plugin share a panel. */
  readonly panels: readonly (readonly Dimension[])[]
  /** What is not counted for this account although it could be, in the words of its plugins. */
  readonly barred: readonly string[]
}

/** The charts of the installed plugins. */
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

/** The manifest lists no dimensions that the plan lacks, so the name of the feature has to tell. */
function isBarred({ feature, enabled }: { readonly feature: string; readonly enabled: boolean }) {
  return !enabled && feature.startsWith('analytics.')
}
