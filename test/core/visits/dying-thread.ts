import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ServerAway } from '../../../core/storage/files/out-of-reach.ts'
import { joinDatabase } from '../../../core/storage/open/open-database.ts'
import { notingCalls, notingLoad } from '../../../core/visits/collect/called-dimension.ts'
import { rememberMinutes } from '../../../core/visits/collect/recent-visits.ts'
import type { ThreadData } from '../../../core/visits/collect/recorder-thread.ts'
import {
  type FromOutside,
  serveWriter,
  type WatchedCounting,
} from '../../../core/visits/collect/serve-writer.ts'
import { writeHere, writersInTurn } from '../../../core/visits/collect/visit-writer.ts'
import { createMarker } from '../../../core/visits/count/marker.ts'
import type { NamedDimension } from '../../../core/visits/facts/dimensions.ts'
import { placeUnknown } from '../../../core/visits/facts/place.ts'

/** A recorder thread that dies once, before or after it stored its second batch. */
const { address, features, outside, called, ...named } = workerData as ThreadData
if (parentPort === null) throw new Error('This runs as a worker thread only.')

const dimension = { name: 'visits', label: 'Visits', total: true, of: () => '' } as const
const failing = {
  name: 'failing',
  label: 'Failing',
  total: true,
  of: (): string => {
    throw new Error('no idea')
  },
} as const
/** As a plugin from outside has it: it never answers, unless the thread starts slowly, or is not called any more. */
const looping = ({ feature, problem }: FromOutside): NamedDimension => ({
  ...failing,
  name: 'looping',
  feature,
  of() {
    if (problem !== undefined) throw new Error(problem)
    if (features.includes('start slowly')) return ''
    for (;;);
  },
})
// Longer than a plugin may take to load while the thread is to close.
if (features.includes('start slowly')) await delay(1_500)
if (features.includes('load for ever') && outside.some(({ problem }) => problem === undefined)) {
  await notingLoad(called, async () => {
    for (;;);
  })
}
const { db } = await joinDatabase(address)
/** Where it is noted that it has died. */
const died = `${'file' in address ? address.file : ''}.died`
const markOf = createMarker()
const minutes = rememberMinutes()
const counting = ({ features, outside, called }: WatchedCounting) => {
  const dimensions = [dimension, ...(features.includes('fail') ? [failing] : [])]
  return writeHere(db, {
    ...named,
    dimensions: notingCalls([...outside.map(looping), ...dimensions], outside, called),
    placeOf: placeUnknown,
    markOf,
    minutes,
  })
}
const first = { features, outside, called, namesVisited: named.namesVisited }
const writer = writersInTurn(counting(first), async (next: WatchedCounting) => {
  if (next.features.includes('hang')) await new Promise(() => undefined)
  if (next.features.includes('boom')) throw new Error('boom')
  return counting(next)
})

function dieOnce(): void {
  if (existsSync(died)) return
  writeFileSync(died, '')
  process.exit(1)
}

serveWriter(parentPort, {
  ...writer,
  async store(sequence, visits) {
    if (features.includes('away')) throw new ServerAway('no connection')
    if (sequence === 2 && features.includes('die before')) dieOnce()
    const stored = await writer.store(sequence, visits)
    if (sequence === 2 && features.includes('die after')) dieOnce()
    return stored
  },
})
