import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { registry } from '../plugins/index.ts'
import { isFrom } from './kernel/culprit.ts'
import { loadInThread } from './outside/load-in-thread.ts'
import { joinSqlite } from './storage/sqlite.ts'
import type { ThreadData } from './visits/collect/host-in-thread.ts'
import { hostHere } from './visits/collect/recorder-host.ts'
import { serveHost, tellOfStray } from './visits/collect/serve-host.ts'
import { dimensionsOf } from './visits/facts/dimensions.ts'
import { placesIn } from './visits/facts/place.ts'
import { factsRead, placeFiles } from './visits/facts/place-files.ts'

/** The recorder's thread: works visits out and writes them, on a connection of its own. */
const { file, run, namesVisited, places, ...on } = workerData as ThreadData
const port = parentPort
if (port === null) throw new Error('The recorder worker runs as a worker thread only.')

const programFolder = dirname(fileURLToPath(import.meta.url))
process.on('uncaughtException', survive)
process.on('unhandledRejection', survive)

/** What a plugin leaves behind in a promise or a timer must not end the thread; what we leave behind must. */
function survive(error: unknown): void {
  const isOfPlugin = on.outside.some(({ file }) => isFrom(error, dirname(file)))
  if (!isOfPlugin && isFrom(error, programFolder)) throw error
  if (port !== null) tellOfStray(port, error)
}

const plugins = await loadInThread(registry, on, new URL('.', import.meta.url))
const { db, close } = joinSqlite(file)
const placeOf = placesIn(placeFiles(factsRead(plugins), places))
const host = hostHere(db, { dimensions: dimensionsOf(plugins), placeOf, run, namesVisited })
serveHost(port, {
  ...host,
  async close() {
    try {
      await host.close()
    } finally {
      await close()
    }
  },
})
