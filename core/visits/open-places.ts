import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Log } from '../plugin.ts'
import { type PlaceOf, placesInFile, placeUnknown } from './place.ts'

/** What is known of where visitors are. */
export interface Places {
  readonly of: PlaceOf
  /** The file, for another thread to look into by itself. */
  readonly file?: string
  /** That nothing is known, as a sentence for anyone; the log says more. */
  readonly trouble?: string
}

/** While no plugin reads places: nothing is opened and nothing is missing. */
export const noPlaces: Places = { of: placeUnknown }

/** The countries that come with Linnet, unless they were left out when it was installed. */
const bundled = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

const trouble = 'Countries of visitors are unknown'

/**
 * Look into an MMDB file, or else into what comes with Linnet, from the first visit whose place is asked
 * for: until then it takes no memory. Without a file visitors are just nowhere.
 */
export function openPlaces(log: Log, file?: string): Places {
  try {
    const path = file ?? fileURLToPath(import.meta.resolve(bundled))
    checkFile(path)
    return { of: placesInFile(path), file: path }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn(
      `${trouble}: ${file ?? bundled} cannot be read: ${reason}. ` +
        'Set LINNET_GEOIP_FILE to an MMDB file, and start again.',
    )
    return { of: placeUnknown, trouble: `${trouble}; the log says why.` }
  }
}

/** The metadata that ends every MMDB file begins with these bytes, within its last 128 KiB. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytes = 128 * 1024

/** Throw unless the file ends as an MMDB file does. */
function checkFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const end = Buffer.alloc(Math.min(size, metadataBytes))
    readSync(descriptor, end, 0, end.length, size - end.length)
    if (!end.includes(metadataMark)) throw new Error('it is no MMDB file')
  } finally {
    closeSync(descriptor)
  }
}
