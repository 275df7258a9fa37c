import { nothingOutside } from '../../outside/load-outside.ts'
import { createRecorder } from '../../visits/collect/recorder.ts'
import { settleSoon } from '../../visits/collect/settle-soon.ts'
import { dimensionsOf } from '../../visits/facts/dimensions.ts'
import { noPlaces, openPlaces, type Places } from '../../visits/facts/open-places.ts'
import { factsRead } from '../../visits/facts/place-files.ts'
import type { LastingRecipes, Recipes } from '../parts/parts.ts'

/** What counts visits. */
export const visitRecipes = {
  placesFor(get) {
    const { placeSource, log } = get('given')
    let last: { readonly key: string; readonly places: Places } | undefined
    return plugins => {
      const reads = factsRead(plugins)
      const key = [...reads].sort().join()
      // Sets that read the same share what is open: it may take much memory.
      if (last?.key !== key) {
        last = { key, places: reads.size > 0 ? openPlaces(log, reads, placeSource) : noPlaces }
      }
      return last.places
    }
  },

  recorder(get, { now }) {
    const { storage, log, recorderUrl, placeSource } = get('given')
    return createRecorder({
      ...now('counted'),
      storage,
      log,
      ...(placeSource && { placeSource }),
      ...(recorderUrl && { workerUrl: recorderUrl }),
      onVisited: visits => now('hooks').announceVisits(visits),
    })
  },

  settle(get) {
    const { log, patienceMs } = get('given')
    return () => settleSoon([get('recorder'), get('remover')], log, patienceMs)
  },
} satisfies Partial<LastingRecipes>

/** What is counted. */
export const countingRecipes = {
  places: get => get('placesFor')(get('plugins').running.map(({ plugin }) => plugin)),

  counted(get) {
    const { running, offer } = get('plugins')
    const { outside = nothingOutside } = offer
    const plugins = running.map(({ plugin }) => plugin)
    return {
      features: plugins.map(({ feature }) => feature),
      outside: outside.plugins
        .filter(({ plugin }) => plugins.includes(plugin))
        .map(({ url, plugin: { feature, dimensions = {} } }) => ({
          feature,
          url,
          dimensions: Object.keys(dimensions),
        })),
      dimensions: dimensionsOf(plugins),
      places: get('places'),
      namesVisited: plugins.some(({ on }) => on?.visited),
    }
  },
} satisfies Partial<Recipes>
