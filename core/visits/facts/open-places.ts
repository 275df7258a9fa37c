import type { Log, PlaceFact } from '../../plugin.ts'
import { readMetadata, stampOf } from './mmdb-file.ts'
import { type PlaceOf, placesIn, placeUnknown } from './place.ts'
import { type Attribution, attributionOf } from './place-attribution.ts'
import { pathsFor, placeFiles } from './place-files.ts'

/** What is known of where visitors are. */
export interface Places {
  readonly of: PlaceOf
  /** What is not known at present, as sentences for anyone; the log says more. */
  troubles(): readonly string[]
  /** Who must be named where a fact shows. */
  attribution(fact: PlaceFact): Attribution | undefined
}

/** While no plugin reads places: nothing is opened and nothing is missing. */
export const noPlaces: Places = {
  of: placeUnknown,
  troubles: () => [],
  attribution: () => undefined,
}

const names: Readonly<Record<PlaceFact, string>> = { place: 'Countries', city: 'Cities' }

/**
 * Look into an operator's own MMDB file, or else into what comes with Linnet, from the first visit whose
 * place is asked for: until then it takes no memory. Without a file visitors are just nowhere.
 */
export function openPlaces(log: Log, reads: ReadonlySet<PlaceFact>, file?: string): Places {
  const paths = [...reads].map(fact => ({ fact, paths: pathsFor(fact, file) }))
  const watches = paths.flatMap(({ fact, paths }) =>
    paths.map(path => watchFile(path, names[fact], log)),
  )
  const attributions = new Map(
    paths.map(({ fact, paths: [path] }) => [fact, attributionOf(fact, path, file)]),
  )
  const troubles = () => [...new Set(watches.flatMap(troubleOf => troubleOf() ?? []))]
  // The log says at once what is missing at the start, and what is missing later when health is asked.
  troubles()
  return {
    of: placesIn(placeFiles(reads, file)),
    troubles,
    attribution: fact => attributions.get(fact),
  }
}

/** Says what a file leaves unknown while it cannot be read; it is looked into only when it changed. */
function watchFile(path: string, facts: string, log: Log): () => string | undefined {
  let known:
    | { readonly stamp: string | undefined; readonly trouble: string | undefined }
    | undefined
  let wasReadable = false

  return () => {
    const stamp = stampOf(path)
    if (known !== undefined && known.stamp === stamp) return known.trouble
    const reason = reasonAgainst(path)
    const what = wasReadable ? 'are told by a file that is gone or broken now' : 'are unknown'
    wasReadable ||= reason === undefined
    known = { stamp, trouble: reason && `${facts} of visitors ${what}; the log says why.` }
    if (reason !== undefined) {
      log.warn(
        `${facts} of visitors ${what}: ${path} cannot be read: ${reason}. ` +
          'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.',
      )
    }
    return known.trouble
  }
}

function reasonAgainst(path: string): string | undefined {
  try {
    readMetadata(path)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
