import type { Response } from 'maxmind'
import { readPublicIp } from '../../lib/net/public-ip.ts'
import type { City, Place } from '../../plugin.ts'
import type { FileRecords, MmdbFile, Records } from './mmdb-file.ts'

/** Locates addresses, each fact separately: what nobody asks for is not looked up. */
export interface PlaceOf {
  country(ip: string): string | undefined
  city(ip: string): City | undefined
}

/** The same, also in two steps for who asks about many addresses. */
export interface PlaceOfFiles extends PlaceOf {
  /** Each is another object once a file was replaced. */
  readonly records: { country(): Records<Place>; city(): Records<Place> }
}

/** GeoLite2 and DB-IP nest the names; the files of ip-location-db have them flat. */
interface PlaceRecord {
  readonly country?: { readonly iso_code?: string }
  readonly country_code?: string
  readonly city?: string | Named
  readonly subdivisions?: readonly Named[]
  readonly state1?: string
}

interface Named {
  readonly names?: { readonly en?: string }
}

/** The files to look in; the first that fits an address is used. Without files nothing is known. */
export interface PlaceFiles {
  readonly countries: readonly MmdbFile<Place>[]
  readonly cities: readonly MmdbFile<Place>[]
}

const noRecords: Records<Place> = { find: () => 0, fact: () => undefined }

/** Knows no address; used while no plugin reads places. */
export const placeUnknown: PlaceOfFiles = {
  country: () => undefined,
  city: () => undefined,
  records: { country: () => noRecords, city: () => noRecords },
}

/** Looks addresses up in files, each fact when it is asked for: a file that is not needed is never read. */
export function placesIn({ countries, cities }: PlaceFiles): PlaceOfFiles {
  if (countries.length === 0 && cities.length === 0) return placeUnknown
  const records = { country: recordsOf(countries), city: recordsOf(cities) }
  return {
    country: ip => placeIn(records.country(), ip)?.country,
    city: ip => placeIn(records.city(), ip)?.city,
    records,
  }
}

const words = new Uint32Array(4)

/**
 * Only public addresses are looked up: files are about registries, not networks, and name a country even for
 * 192.168.0.0/16.
 */
function placeIn(records: Records<Place>, ip: string): Place | undefined {
  const family = readPublicIp(ip, words)
  return family === 0 ? undefined : records.fact(records.find(family, words))
}

/** The records of these files together. */
function recordsOf(files: readonly MmdbFile<Place>[]): () => Records<Place> {
  let parts: readonly FileRecords<Place>[] = []
  let all = noRecords
  return () => {
    const now = files.flatMap(file => file.now() ?? [])
    if (now.length !== parts.length || now.some((part, at) => part !== parts[at])) {
      parts = now
      all = together(now)
    }
    return all
  }
}

/** The number of a record also tells which part it is in. */
function together(parts: readonly FileRecords<Place>[]): Records<Place> {
  return {
    find(family, words) {
      const part = parts.findIndex(it => it.fits(family))
      const record = parts[part]?.find(family, words) ?? 0
      return record === 0 ? 0 : record * parts.length + part
    },
    fact(record) {
      const part = record % parts.length
      return parts[part]?.fact((record - part) / parts.length)
    },
  }
}

/** The place in a record of a file. */
export function readPlace(record: Response): Place {
  const found = record as PlaceRecord
  return { country: countryIn(found), city: cityIn(found) }
}

function countryIn(found: PlaceRecord): string | undefined {
  const code = found.country?.iso_code ?? found.country_code
  return code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : undefined
}

function cityIn(found: PlaceRecord): City | undefined {
  const country = countryIn(found)
  const name = withoutDistrict(nameOf(found.city))
  if (country === undefined || name === '') return undefined
  const region = nameOf(found.subdivisions?.[0] ?? found.state1)
  return Object.freeze({ name, region: region === '' ? undefined : region, country })
}

function nameOf(named: string | Named | undefined): string {
  return (typeof named === 'string' ? named : named?.names?.en) ?? ''
}

/** `Hanover (Linden)` -> `Hanover`: DB-IP names tens of thousands of districts. */
function withoutDistrict(city: string): string {
  return city.replace(/( \([^)]*\))+$/, '')
}
