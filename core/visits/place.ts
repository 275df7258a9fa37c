import ipaddr from 'ipaddr.js'
import { type CountryResponse, Reader } from 'maxmind'
import type { Place } from '../plugin.ts'
import { createLru } from './lru.ts'

/** Where an address is. */
export type PlaceOf = (ip: string) => Place

/** GeoLite2 and DB-IP nest the code, the files of ip-location-db have it flat. */
type PlaceRecord = CountryResponse & { readonly country_code?: string }

const unknown: Place = { country: undefined }

/** Knows no address: stands in while no plugin reads places, or there is no file to read them from. */
export const placeUnknown: PlaceOf = () => unknown

/**
 * Looks addresses up in the bytes of an MMDB file, which threads can share; throws when they are none.
 * The format: https://maxmind.github.io/MaxMind-DB/
 */
export function placesIn(bytes: SharedArrayBuffer): PlaceOf {
  const reader = new Reader<PlaceRecord>(Buffer.from(bytes), { cache: createLru(1_000) })
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
