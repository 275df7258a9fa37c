import { VisuallyHidden } from '@mantine/core'
import { useClickOutside, useElementSize, useMergedRef } from '@mantine/hooks'
import { type MouseEvent, type PointerEvent, useId, useState } from 'react'
import type { Point } from '../../../api/analytics/analytics.ts'
import { formatCompact, formatNumber } from '../../../shared/text/format.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import { Marks } from '../annotations/marks.tsx'
import { ChartTip, type TimeChartProps } from './chart-tip.tsx'
import { layOut } from './lay-out.ts'
import classes from './time-chart.module.css'

/**
 * Visits over time. The pointer or the arrow keys move from point to point, and screen readers read out each
 * value. Incomplete points are dashed.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, points, before, beside, labels, isFirstPart, isLastPart, annotations } = props
  const { ref, width } = useElementSize()
  const gradient = useId()
  const [at, setAt] = useState<number>()
  const [isPointed, setIsPointed] = useState(false)
  const leave = () => setIsPointed(false)
  const point = (index: number) => {
    setAt(index)
    setIsPointed(true)
  }
  // A finger leaves at once: its point stays selected until something else is touched.
  const away = useClickOutside<HTMLDivElement>(leave)
  const chart = layOut({ points, before, beside: beside?.points ?? [] }, width, {
    isFirstPart,
    isLastPart,
  })
  const last = points.length - 1
  const shown = Math.min(at ?? last, last)

  const hint = useId()
  const choose = (index: number) => annotations?.open(index)

  const follow = ({ clientX, currentTarget }: PointerEvent) =>
    point(chart.nearest(clientX - currentTarget.getBoundingClientRect().left))

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
        onChange={({ currentTarget }) => point(Number(currentTarget.value))}
        onFocus={() => point(shown)}
        onBlur={leave}
        onKeyDown={({ key }) => key === 'Enter' && choose(shown)}
        aria-describedby={annotations && hint}
      />
      {annotations && <VisuallyHidden id={hint}>{analyticsTexts.annotations.byKey}</VisuallyHidden>}
      <svg
        width={width}
        height={chart.height}
        aria-hidden="true"
        onPointerMove={follow}
        onPointerDown={follow}
        onClick={event => isOfMouse(event) && choose(shown)}
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
        {[...(annotations?.placed.keys() ?? [])].map(index => (
          <line
            key={index}
            className={classes.annotated}
            x1={chart.x(index)}
            x2={chart.x(index)}
            y1={chart.top}
            y2={chart.bottom}
          />
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
        {isPointed && (
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
      {annotations && (
        <Marks
          annotations={annotations}
          x={chart.x}
          nameOf={index => labels.long(points[index]?.start ?? '')}
        />
      )}
      {isPointed && (
        <ChartTip
          {...props}
          index={shown}
          x={chart.x(shown)}
          width={width}
          isHighBetween={chart.isHighBetween}
        />
      )}
    </div>
  )
}

function sayPoint(props: TimeChartProps, index: number): string {
  const { points, before, beside, labels, annotations } = props
  const notes = annotations?.placed.get(index) ?? []
  const [point, was, other] = [points[index], before[index], beside?.points[index]]
  if (!point) return texts.common.none
  return [
    texts.analytics.pointSaid(labels.long(point.start), visitsOf(point)),
    ...(beside && other ? [texts.analytics.besideSaid(beside.label, number(other))] : []),
    ...(was ? [texts.analytics.beforeSaid(labels.long(was.start), visitsOf(was))] : []),
    ...(notes.length > 0
      ? [analyticsTexts.annotations.said(notes.map(({ text }) => text).join('; '))]
      : []),
  ].join(', ')
}

/** With a finger, the touch that selects a point also clicks; that click must not open anything. */
function isOfMouse({ nativeEvent }: MouseEvent): boolean {
  return !(nativeEvent instanceof globalThis.PointerEvent) || nativeEvent.pointerType === 'mouse'
}

function number({ visits }: Point): string {
  return formatNumber(visits)
}

function visitsOf({ visits }: Point): string {
  return texts.links.visits(visits, formatNumber(visits))
}
