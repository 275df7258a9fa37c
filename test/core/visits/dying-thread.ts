import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { joinSqlite } from '../../../core/storage/sqlite.ts'
import type { ThreadData } from '../../../core/visits/collect/host-in-thread.ts'
import { hostHere, hostsInTurn } from '../../../core/visits/collect/recorder-host.ts'
import { serveHost } from '../../../core/visits/collect/serve-host.ts'
import { createMarker } from '../../../core/visits/count/marker.ts'
import { placeUnknown } from '../../../core/visits/facts/place.ts'

/** A recorder thread that dies once, before or after it stored its second batch. */
const { file, features, ...named } = workerData as ThreadData
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
const { db } = joinSqlite(file)
const markOf = createMarker()
const counting = ({ features }: Pick<ThreadData, 'features'>) =>
  hostHere(db, {
    ...named,
    dimensions: features.includes('fail') ? [dimension, failing] : [dimension],
    placeOf: placeUnknown,
    markOf,
  })
const host = hostsInTurn(counting({ features }), async (next: Pick<ThreadData, 'features'>) => {
  if (next.features.includes('hang')) await new Promise(() => undefined)
  if (next.features.includes('boom')) throw new Error('boom')
  return counting(next)
})

function dieOnce(): void {
  if (existsSync(`${file}.died`)) return
  writeFileSync(`${file}.died`, '')
  process.exit(1)
}

serveHost(parentPort, {
  ...host,
  async store(sequence, visits) {
    if (sequence === 2 && features.includes('die before')) dieOnce()
    const stored = await host.store(sequence, visits)
    if (sequence === 2 && features.includes('die after')) dieOnce()
    return stored
  },
})
