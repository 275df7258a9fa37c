import type { Response } from 'maxmind'
import type { City, Place } from '../../plugin.ts'
import { isPublicIp } from '../../public-ip.ts'
import type { MmdbFile } from './mmdb-file.ts'

/** Where an address is. */
export type PlaceOf = (ip: string) => Place

/** GeoLite2 and DB-IP nest the names, the files of ip-location-db have them flat. */
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

/** The files to ask, the first that fits an address; none: nothing is known. */
export interface PlaceFiles {
  readonly countries: readonly MmdbFile<Place>[]
  readonly cities: readonly MmdbFile<Place>[]
}

const unknown: Place = { country: undefined, city: undefined }

/** Knows no address: stands in while no plugin reads places. */
export const placeUnknown: PlaceOf = () => unknown

/** Looks addresses up in files, each fact when it is asked for: a file that nobody asks is not read. */
export function placesIn({ countries, cities }: PlaceFiles): PlaceOf {
  if (countries.length === 0 && cities.length === 0) return placeUnknown
  return ip => {
    // Files know registries, not networks, and so name a country for 192.168.0.0/16 too.
    if (!isPublicIp(ip)) return unknown
    return {
      get country() {
        return placeIn(countries, ip)?.country
      },
      get city() {
        return placeIn(cities, ip)?.city
      },
    }
  }
}

function placeIn(files: PlaceFiles['cities'], ip: string): Place | undefined {
  return files.find(file => file.fits(ip))?.find(ip)
}

/** What a record of a file says of a place. */
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

/** `Hanover (Linden)` -> `Hanover`: DB-IP tells tens of thousands of districts. */
function withoutDistrict(city: string): string {
  return city.replace(/( \([^)]*\))+$/, '')
}
