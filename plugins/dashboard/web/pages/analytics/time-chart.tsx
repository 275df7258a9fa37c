import { useClickOutside, useElementSize, useMergedRef } from '@mantine/hooks'
import { type PointerEvent, useId, useState } from 'react'
import type { Point } from '../../api/analytics.ts'
import { formatCompact, formatNumber } from '../../shared/format.ts'
import { texts } from '../../texts.ts'
import { ChartTip, type TimeChartProps } from './chart-tip.tsx'
import { layOut } from './lay-out.ts'
import classes from './time-chart.module.css'

/**
 * Visits over time. The pointer or the arrow keys go from point to point, and a screen reader says what is
 * there; what is not over yet is dashed.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, points, before, beside, labels, isFirstPart, isLastPart } = props
  const { ref, width } = useElementSize()
  const gradient = useId()
  const [at, setAt] = useState<number>()
  const leave = () => setAt(undefined)
  // A finger leaves at once: what it pointed at stays until it touches something else.
  const away = useClickOutside<HTMLDivElement>(leave)
  const chart = layOut({ points, before, beside: beside?.points ?? [] }, width, {
    isFirstPart,
    isLastPart,
  })
  const last = points.length - 1
  const shown = Math.min(at ?? last, last)

  const follow = ({ clientX, currentTarget }: PointerEvent) =>
    setAt(chart.nearest(clientX - currentTarget.getBoundingClientRect().left))

  return (
    <div ref={useMergedRef(ref, away)} className={classes.chart}>
      <input
        type="range"
        className={classes.keys}
        aria-label={label}
        aria-valuetext={sayPoint(props, shown)}
        min={0}
        max={Math.max(last, 0)}
        value={shown}
        onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
        onFocus={() => setAt(shown)}
        onBlur={leave}
      />
      <svg
        width={width}
        height={chart.height}
        aria-hidden="true"
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && leave()}
      >
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop className={classes.areaTop} offset="0" />
            <stop className={classes.areaBottom} offset="1" />
          </linearGradient>
        </defs>
        {points.map(
          ({ start }, index) =>
            labels.isWeekend(start) && (
              <rect key={start} className={classes.weekend} {...chart.band(index)} />
            ),
        )}
        {chart.ticks.map(({ value, y }) => (
          <g key={value}>
            <line className={classes.grid} x1={chart.left} x2={width} y1={y} y2={y} />
            <text className={classes.tick} x={chart.left - 8} y={y} dy="0.32em" textAnchor="end">
              {formatCompact(value)}
            </text>
          </g>
        ))}
        {chart.marks.map(index => (
          <text
            key={index}
            className={classes.tick}
            x={chart.x(index)}
            y={chart.height - 6}
            textAnchor="middle"
          >
            {labels.short(points[index]?.start ?? '')}
          </text>
        ))}
        <path className={classes.before} d={chart.before} />
        <path fill={`url(#${gradient})`} d={chart.area} />
        <path className={classes.line} d={chart.line} />
        <path className={classes.part} d={chart.parts} />
        <path className={classes.beside} d={chart.beside.line} />
        <path className={classes.besidePart} d={chart.beside.parts} />
        {points.length === 1 && <circle className={classes.dot} {...chart.dot(0)} r="4" />}
        {at !== undefined && (
          <>
            <line
              className={classes.cursor}
              x1={chart.x(shown)}
              x2={chart.x(shown)}
              y1={chart.top}
              y2={chart.bottom}
            />
            <circle className={classes.dot} {...chart.dot(shown)} r="5" />
          </>
        )}
      </svg>
      {at !== undefined && <ChartTip {...props} index={shown} x={chart.x(shown)} width={width} />}
    </div>
  )
}

function sayPoint(props: TimeChartProps, index: number): string {
  const { points, before, beside, labels } = props
  const [point, was, other] = [points[index], before[index], beside?.points[index]]
  if (!point) return texts.common.none
  return [
    texts.analytics.pointSaid(labels.long(point.start), visitsOf(point)),
    ...(beside && other ? [texts.analytics.besideSaid(beside.label, number(other))] : []),
    ...(was ? [texts.analytics.beforeSaid(labels.long(was.start), visitsOf(was))] : []),
  ].join(', ')
}

function number({ visits }: Point): string {
  return formatNumber(visits)
}

function visitsOf({ visits }: Point): string {
  return texts.links.visits(visits, formatNumber(visits))
}
