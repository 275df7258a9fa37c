import { parentPort, workerData } from 'node:worker_threads'
import { registry } from '../plugins/index.ts'
import { loadInThread } from './outside/load-in-thread.ts'
import { joinSqlite } from './storage/sqlite.ts'
import type { ThreadData } from './visits/collect/host-in-thread.ts'
import { hostHere } from './visits/collect/recorder-host.ts'
import { serveHost } from './visits/collect/serve-host.ts'
import { dimensionsOf } from './visits/facts/dimensions.ts'
import { placesIn } from './visits/facts/place.ts'
import { factsRead, placeFiles } from './visits/facts/place-files.ts'

/** The recorder's thread: works visits out and writes them, on a connection of its own. */
const { file, run, namesVisited, places, ...on } = workerData as ThreadData
if (parentPort === null) throw new Error('The recorder worker runs as a worker thread only.')

const plugins = await loadInThread(registry, on, new URL('.', import.meta.url))
const { db, close } = joinSqlite(file)
const placeOf = placesIn(placeFiles(factsRead(plugins), places))
const host = hostHere(db, { dimensions: dimensionsOf(plugins), placeOf, run, namesVisited })
serveHost(parentPort, {
  ...host,
  async close() {
    try {
      await host.close()
    } finally {
      await close()
    }
  },
})
