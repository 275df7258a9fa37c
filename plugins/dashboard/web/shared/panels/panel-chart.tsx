import { VisuallyHidden } from '@mantine/core'
import type { Panel } from '../../api/instance/panels.ts'
import { panelTexts } from '../../texts/panels.ts'
import { formatNumber } from '../text/format.ts'
import classes from './panel-chart.module.css'

export interface PanelChartProps {
  readonly chart: NonNullable<Panel['chart']>
  readonly entries: readonly object[]
  readonly title: string
}

interface Point {
  readonly label: string
  readonly value: number
}

/** A number of each entry. As a table, so that it can be read where it cannot be seen. */
export function PanelChart({ chart, entries, title }: PanelChartProps) {
  const points = entries.flatMap(entry => pointOf(chart, entry))
  const highest = Math.max(...points.map(({ value }) => value), 0)
  const isLine = chart.kind === 'line' && points.length > 1
  const rows = (
    <table className={classes.bars} aria-label={panelTexts.chart(title)}>
      <tbody>
        {points.map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may be the same
          <tr key={index}>
            <th scope="row">
              <span
                className={classes.bar}
                style={{ inlineSize: `${highest === 0 ? 0 : (value / highest) * 100}%` }}
              />
              <span className={classes.label}>{label}</span>
            </th>
            <td>{formatNumber(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (!isLine) return rows
  return (
    <>
      <VisuallyHidden>{rows}</VisuallyHidden>
      <Line points={points} highest={highest} />
    </>
  )
}

const width = 600
const height = 140

/** The values from left to right, with the highest, the first and the last written beside it. */
function Line({
  points,
  highest,
}: {
  readonly points: readonly Point[]
  readonly highest: number
}) {
  const top = highest || 1
  const places = points.map(
    ({ value }, index) =>
      `${(index / (points.length - 1)) * width},${height - (value / top) * height}`,
  )
  return (
    <div className={classes.line} aria-hidden="true">
      <span>{formatNumber(highest)}</span>
      <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        <polygon points={`0,${height} ${places.join(' ')} ${width},${height}`} />
        <polyline points={places.join(' ')} />
      </svg>
      <span className={classes.ends}>
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </span>
    </div>
  )
}

/** None if the entry has no number: the chart is of the others. */
function pointOf({ label, value, words }: PanelChartProps['chart'], entry: object): Point[] {
  const known = new Map<string, unknown>(Object.entries(entry))
  const number = Number(known.get(value) ?? Number.NaN)
  if (!Number.isFinite(number) || number < 0) return []
  const text = String(known.get(label) ?? '')
  const word = words.find(it => it.value === text)
  return [{ label: word?.label ?? (text.slice(0, 200) || '–'), value: number }]
}
