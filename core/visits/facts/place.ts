import type { Response } from 'maxmind'
import { readPublicIp } from '../../lib/net/public-ip.ts'
import type { City, Place } from '../../plugin.ts'
import type { MmdbFile } from './mmdb-file.ts'

/** Locates addresses, each fact separately: what nobody asks for is not looked up. */
export interface PlaceOf {
  country(ip: string): string | undefined
  city(ip: string): City | undefined
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

/** Knows no address; used while no plugin reads places. */
export const placeUnknown: PlaceOf = { country: () => undefined, city: () => undefined }

/** Looks addresses up in files, each fact when it is asked for: a file that is not needed is never read. */
export function placesIn({ countries, cities }: PlaceFiles): PlaceOf {
  if (countries.length === 0 && cities.length === 0) return placeUnknown
  return {
    country: ip => placeIn(countries, ip)?.country,
    city: ip => placeIn(cities, ip)?.city,
  }
}

const words = new Uint32Array(4)

/**
 * Only public addresses are looked up: files are about registries, not networks, and name a country even for
 * 192.168.0.0/16.
 */
function placeIn(files: PlaceFiles['cities'], ip: string): Place | undefined {
  const family = readPublicIp(ip, words)
  if (family === 0) return undefined
  for (const file of files) if (file.fits(family)) return file.find(family, words)
  return undefined
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
  return { name, region: region === '' ? undefined : region, country }
}

function nameOf(named: string | Named | undefined): string {
  return (typeof named === 'string' ? named : named?.names?.en) ?? ''
}

/** `Hanover (Linden)` -> `Hanover`: DB-IP names tens of thousands of districts. */
function withoutDistrict(city: string): string {
  return city.replace(/( \([^)]*\))+$/, '')
}
