import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, Reader } from 'maxmind'
import { createLru } from '../lru.ts'
import type { Place } from '../plugin.ts'

/** Where an address is. */
export type PlaceOf = (ip: string) => Place

/** GeoLite2 and DB-IP nest the code, the files of ip-location-db have it flat. */
type PlaceRecord = CountryResponse & { readonly country_code?: string }

const unknown: Place = { country: undefined }

/** Knows no address: stands in while no plugin reads places, or there is no file to read them from. */
export const placeUnknown: PlaceOf = () => unknown

/** Looks addresses up in an MMDB file, which is read when the first is asked for. */
export function placesInFile(file: string): PlaceOf {
  let of: PlaceOf | undefined
  return ip => {
    of ??= readPlaces(file)
    return of(ip)
  }
}

/** A file that was there at the start and is not there now makes visitors be nowhere. */
function readPlaces(file: string): PlaceOf {
  try {
    return placesIn(readFileSync(file))
  } catch {
    return placeUnknown
  }
}

/**
 * Looks addresses up in the bytes of an MMDB file; throws when they are none. The format:
 * https://maxmind.github.io/MaxMind-DB/
 */
export function placesIn(bytes: Buffer): PlaceOf {
  const reader = new Reader<PlaceRecord>(bytes, { cache: createLru(1_000) })
  const { ipVersion } = reader.metadata
  return ip => {
    if (!isPublic(ip, ipVersion)) return unknown
    try {
      return placeOf(reader.get(ip))
    } catch {
      // A damaged record is an unknown place: what counts or routes by others goes on.
      return unknown
    }
  }
}

/**
 * Files know registries, not networks, and so name a country for 192.168.0.0/16 too. An IPv6 address in
 * a file of IPv4 would be taken for another one.
 */
function isPublic(ip: string, ipVersion: number): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.parse(ip)
  if (ipVersion === 4 && address.kind() === 'ipv6') return false
  return address.range() === 'unicast'
}

function placeOf(found: PlaceRecord | null): Place {
  const code = found?.country?.iso_code ?? found?.country_code
  return code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ'
    ? { country: code }
    : unknown
}
