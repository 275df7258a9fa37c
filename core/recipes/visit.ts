import { nothingOutside } from '../outside/load-outside.ts'
import type { Recipes } from '../parts.ts'
import { createRecorder } from '../visits/collect/recorder.ts'
import { settleSoon } from '../visits/collect/settle-soon.ts'
import { dimensionsOf } from '../visits/facts/dimensions.ts'
import { noPlaces, openPlaces } from '../visits/facts/open-places.ts'
import { factsRead } from '../visits/facts/place-files.ts'

/** What counts visits. */
export const visitRecipes = {
  places(get) {
    const { geoipFile, log } = get('given')
    const reads = factsRead(get('plugins').running.map(({ plugin }) => plugin))
    return reads.size > 0 ? openPlaces(log, reads, geoipFile) : noPlaces
  },

  recorder(get) {
    const { storage, log, recorderUrl, outside = nothingOutside } = get('given')
    const plugins = get('plugins').running.map(({ plugin }) => plugin)
    return createRecorder({
      storage,
      log,
      features: plugins.map(({ feature }) => feature),
      outside: outside.plugins
        .filter(({ plugin }) => plugins.includes(plugin))
        .map(({ file, plugin: { feature, dimensions = {} } }) => ({
          feature,
          file,
          dimensions: Object.keys(dimensions),
        })),
      dimensions: dimensionsOf(plugins),
      places: get('places'),
      ...(recorderUrl && { workerUrl: recorderUrl }),
      ...(plugins.some(({ on }) => on?.visited) && {
        onVisited: visits => get('hooks').announceVisits(visits),
      }),
    })
  },

  settle(get) {
    const { log, patienceMs } = get('given')
    return () => settleSoon([get('recorder'), get('remover')], log, patienceMs)
  },
} satisfies Partial<Recipes>
