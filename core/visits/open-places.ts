import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Log } from '../plugin.ts'
import { type PlaceOf, placesIn, placeUnknown } from './place.ts'

/** What is known of where visitors are. */
export interface Places {
  readonly of: PlaceOf
  /** The file, for another thread to read without a copy of its own. */
  readonly bytes?: SharedArrayBuffer
  /** That nothing is known, as a sentence for anyone; the log says more. */
  readonly trouble?: string
}

/** While no plugin reads places: nothing is opened and nothing is missing. */
export const noPlaces: Places = { of: placeUnknown }

/** The countries that come with Linnet, unless they were left out when it was installed. */
const bundled = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

const trouble = 'Countries of visitors are unknown'

/** Open an MMDB file, or else what comes with Linnet. Without it visitors are just nowhere. */
export function openPlaces(log: Log, file?: string): Places {
  try {
    const bytes = readShared(file ?? fileURLToPath(import.meta.resolve(bundled)))
    return { of: placesIn(bytes), bytes }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn(
      `${trouble}: ${file ?? bundled} cannot be read: ${reason}. ` +
        'Set LINNET_GEOIP_FILE to an MMDB file, and start again.',
    )
    return { of: placeUnknown, trouble: `${trouble}; the log says why.` }
  }
}

function readShared(file: string): SharedArrayBuffer {
  const content = readFileSync(file)
  const bytes = new SharedArrayBuffer(content.length)
  new Uint8Array(bytes).set(content)
  return bytes
}
