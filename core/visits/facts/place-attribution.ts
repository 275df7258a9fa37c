import type { PlaceFact } from '../../plugin.ts'
import { readMetadata } from './mmdb-file.ts'

/** Who must be named, with a link, where facts that they made known are shown. */
export interface Attribution {
  readonly text: string
  readonly url: string
}

/** CC BY 4.0, with the words and the link that they ask for: https://db-ip.com/db/lite.php */
const dbIp: Attribution = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com/' }

/** CC BY 4.0. */
const nro: Attribution = {
  text: 'Countries by data of the Number Resource Organization',
  url: 'https://www.nro.net/',
}

/** Asked for by https://www.maxmind.com/en/geolite2/eula */
const maxMind: Attribution = {
  text: 'GeoLite data created by MaxMind',
  url: 'https://www.maxmind.com/',
}

const bundled: Readonly<Record<PlaceFact, Attribution>> = { place: nro, city: dbIp }

/** Whose data tells a fact; undefined of an operator's own file that says nothing we know. */
export function attributionOf(
  fact: PlaceFact,
  path: string | undefined,
  own: string | undefined,
): Attribution | undefined {
  if (path !== own) return bundled[fact]
  const type = typeOf(path)
  if (/^dbip/i.test(type)) return dbIp
  return /^geolite/i.test(type) ? maxMind : undefined
}

function typeOf(path: string | undefined): string {
  try {
    return path === undefined ? '' : readMetadata(path).databaseType
  } catch {
    // What cannot be read shows nothing that somebody would have to be named for.
    return ''
  }
}
