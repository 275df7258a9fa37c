import type { PlaceFact } from '../../plugin.ts'

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

/** Of what comes with Linnet. */
export const bundledAttribution: Readonly<Record<PlaceFact, Attribution>> = {
  place: nro,
  city: dbIp,
}

/** Whose data a file has that did not come with Linnet, by its type; undefined when that says nothing we know. */
export function attributionOf(type: string): Attribution | undefined {
  if (/^dbip/i.test(type)) return dbIp
  return /^geolite/i.test(type) ? maxMind : undefined
}
