import type { PlaceFact } from '../../plugin.ts'

/** Who must be credited, with a link, wherever facts from their data are shown. */
export interface Attribution {
  readonly text: string
  readonly url: string
}

/** CC BY 4.0, with the text and the link that they require: https://db-ip.com/db/lite.php */
const dbIp: Attribution = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com/' }

/** CC BY 4.0. */
const nro: Attribution = {
  text: 'Countries by data of the Number Resource Organization',
  url: 'https://www.nro.net/',
}

/** Required by https://www.maxmind.com/en/geolite2/eula */
const maxMind: Attribution = {
  text: 'GeoLite data created by MaxMind',
  url: 'https://www.maxmind.com/',
}

/** The attribution of the data that comes with Linnet. */
export const bundledAttribution: Readonly<Record<PlaceFact, Attribution>> = {
  place: nro,
  city: dbIp,
}

/** Whose data a file that does not come with Linnet contains, by its type; undefined for unknown types. */
export function attributionOf(type: string): Attribution | undefined {
  if (/^dbip/i.test(type)) return dbIp
  return /^geolite/i.test(type) ? maxMind : undefined
}
