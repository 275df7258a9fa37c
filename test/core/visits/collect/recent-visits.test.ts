import { expect, it } from 'vitest'
import { minuteOf, rememberMinutes } from '../../../../core/visits/collect/recent-visits.ts'
import { createVisitCounter } from '../../../../core/visits/count/count-visits.ts'
import { createMarker } from '../../../../core/visits/count/marker.ts'
import type { RawVisit } from '../../../../core/visits/facts/open-visit.ts'
import { placeUnknown } from '../../../../core/visits/facts/place.ts'
import { addLink, batchOf, bootInMemory, dimensions, noon, visitOf } from '../fixtures.ts'

const minute = (minutes: number) => noon + minutes * 60_000

function adding(minutes: ReturnType<typeof rememberMinutes>) {
  const count = createVisitCounter(dimensions, placeUnknown, createMarker())
  return (...visits: readonly RawVisit[]) => {
    const { counted } = count(batchOf(visits))
    minutes.add(
      counted,
      Uint32Array.from({ length: counted.size }, (_, visit) => visit),
    )
  }
}

it('what is older than the last minutes is forgotten when newer visits come', async () => {
  const { link } = await bootInMemory()
  const minutes = rememberMinutes()
  const add = adding(minutes)
  add(visitOf(link, { at: minute(0) }), visitOf(link, { at: minute(0) }))
  add(visitOf(link, { at: minute(29) }))
  const { accountId } = link.owner
  expect([...minutes.read(accountId).sums]).toEqual([
    ...[minuteOf(minute(0)), link.id, 2],
    ...[minuteOf(minute(29)), link.id, 1],
  ])
  add(visitOf(link, { at: minute(30) }))
  expect([...minutes.read(accountId).sums].filter((_, place) => place % 3 === 0)).toEqual(
    [29, 30].map(minute).map(minuteOf),
  )
  expect(minutes.read(accountId).firstMinute).toBe(0)
})

it('where more links are visited than are remembered, the earliest minutes are given up', async () => {
  const { db, owner, link } = await bootInMemory()
  const minutes = rememberMinutes(3)
  const add = adding(minutes)
  const other = await addLink(db, owner)
  add(visitOf(link, { at: minute(0) }), visitOf(other, { at: minute(0) }))
  add(visitOf(link, { at: minute(1) }))
  expect(minutes.read(owner.accountId).firstMinute).toBe(0)
  add(visitOf(link, { at: minute(2) }))
  const { firstMinute, sums } = minutes.read(owner.accountId)
  expect([firstMinute, sums.length / 3]).toEqual([minuteOf(minute(1)), 2])
})
