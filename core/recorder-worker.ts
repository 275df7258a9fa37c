import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { registry } from '../plugins/index.ts'
import { isFrom } from './kernel/contain/blamed-plugin.ts'
import { collectGarbage } from './lib/memory/collect-garbage.ts'
import { watchMemory } from './lib/memory/watch-memory.ts'
import { loadInThread } from './outside/load-in-thread.ts'
import { joinDatabase } from './storage/open/open-database.ts'
import { notingCalls, notingLoad } from './visits/collect/called-dimension.ts'
import { givingBackMemory } from './visits/collect/give-back-memory.ts'
import { rememberMinutes } from './visits/collect/recent-visits.ts'
import type { ThreadData } from './visits/collect/recorder-thread.ts'
import { reportUncaught, serveWriter, type WatchedCounting } from './visits/collect/serve-writer.ts'
import { type VisitWriter, writeHere, writersInTurn } from './visits/collect/visit-writer.ts'
import { withData } from './visits/count/dimension-data.ts'
import { createMarker } from './visits/count/marker.ts'
import { dimensionsOf } from './visits/facts/dimensions.ts'
import { placesIn } from './visits/facts/place.ts'
import { onceForReads, placeFiles } from './visits/facts/place-files.ts'

/** The recorder's thread: evaluates visits and writes them, with a database connection of its own. */
const { address, run, places, filesFolder, ...first } = workerData as ThreadData
const port = parentPort
if (port === null) throw new Error('The recorder worker runs as a worker thread only.')

const programFolder = dirname(fileURLToPath(import.meta.url))
/** The folders of installed plugins that this thread has imported. */
const outside = new Set<string>()
process.on('uncaughtException', survive)
process.on('unhandledRejection', survive)
const exit = process.exit
process.exit = () => {
  throw new Error('it tried to end the process')
}

/** An uncaught error of a plugin, in a promise or a timer, must not end the thread; one of our own must. */
function survive(error: unknown): void {
  const isOfPlugin = [...outside].some(folder => isFrom(error, folder))
  if (!isOfPlugin && isFrom(error, programFolder)) {
    // With it, Node ends the thread and passes the error on. It would print ours, and a whole file with it.
    process.exit = exit
    throw error
  }
  if (port !== null) reportUncaught(port, error)
}

const { db, close } = await joinDatabase(address)
const placesOf = onceForReads(reads => placesIn(placeFiles(reads, places)))
const markOf = createMarker()
const minutes = rememberMinutes()

async function count(counting: WatchedCounting): Promise<VisitWriter> {
  for (const { url } of counting.outside) outside.add(dirname(fileURLToPath(url)))
  const { namesVisited, called } = counting
  const folder = new URL('.', import.meta.url)
  const plugins = await notingLoad(called, () => loadInThread(registry, counting, folder))
  const placeOf = placesOf(plugins)
  const own = withData(dimensionsOf(plugins), filesFolder)
  const dimensions = notingCalls(own, counting.outside, called)
  return writeHere(db, { dimensions, placeOf, markOf, run, minutes, namesVisited })
}

const writer = givingBackMemory(writersInTurn(await count(first), count), collectGarbage)
watchMemory({ onShort: () => void collectGarbage() })
serveWriter(port, {
  ...writer,
  async close() {
    try {
      await writer.close()
    } finally {
      await close()
    }
  },
})
