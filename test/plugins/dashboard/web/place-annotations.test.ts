import { expect, it } from 'vitest'
import {
  daysOfPoints,
  gatherMarks,
  placeAnnotations,
} from '../../../../plugins/dashboard/web/pages/analytics/annotations/place-annotations.ts'

const annotation = (day: string) => ({ id: day, day, text: day })
const pointsAt = (...starts: readonly string[]) => starts.map(start => ({ start, visits: 0 }))

const placesOf = (days: readonly string[], of: Parameters<typeof daysOfPoints>[0]) =>
  [...placeAnnotations(days.map(annotation), daysOfPoints(of))].map(
    ([index, found]) => `${index}: ${found.map(({ day }) => day)}`,
  )

it('an annotation is at its day, in the zone of the chart', () => {
  // Midnights of Auckland, across the end of its summer time.
  const points = pointsAt('2026-04-03T11:00:00Z', '2026-04-04T11:00:00Z', '2026-04-05T12:00:00Z')
  const of = { points, to: '2026-04-06T12:00:00Z', timezone: 'Pacific/Auckland' }
  expect(daysOfPoints(of).map(({ from }) => from)).toEqual([
    ...['2026-04-04', '2026-04-05', '2026-04-06'],
  ])
  expect(placesOf(['2026-04-03', '2026-04-05', '2026-04-06', '2026-04-07'], of)).toEqual([
    ...['1: 2026-04-05', '2: 2026-04-06'],
  ])
})

it('by the week it is at the week, by the hour at the first hour of its day', () => {
  const weeks = pointsAt('2026-11-09T00:00:00Z', '2026-11-16T00:00:00Z')
  const byWeek = { points: weeks, to: '2026-11-20T13:00:00Z', timezone: 'UTC' }
  expect(placesOf(['2026-11-09', '2026-11-15', '2026-11-16', '2026-11-21'], byWeek)).toEqual([
    ...['0: 2026-11-09,2026-11-15', '1: 2026-11-16'],
  ])
  const hours = pointsAt('2026-11-19T23:00:00Z', '2026-11-20T00:00:00Z', '2026-11-20T01:00:00Z')
  const byHour = { points: hours, to: '2026-11-20T02:00:00Z', timezone: 'UTC' }
  expect(placesOf(['2026-11-20'], byHour)).toEqual(['1: 2026-11-20'])
})

it('marks that are too close are one', () => {
  const placed = new Map([0, 1, 4, 5, 9].map(index => [index, [annotation(String(index))]]))
  const gathered = gatherMarks(placed, index => index * 10, 24)
  expect(gathered.map(({ index, annotations }) => [index, annotations.length])).toEqual([
    ...[
      [0, 2],
      [4, 2],
      [9, 1],
    ],
  ])
})
