import { place, type Visitor } from '../browser/dashboard/visit.ts'
import type { Networks } from '../mmdb.ts'
import { agents } from '../plugins/analytics/agents.ts'
import type { Chance } from './chance.ts'

/** Cities, with their country, language, and share of visitors. */
const cities = [
  ['Hamburg', 'DE', 'de-DE', 22],
  ['Berlin', 'DE', 'de-DE', 14],
  ['Kiel', 'DE', 'de-DE', 7],
  ['Copenhagen', 'DK', 'da-DK', 9],
  ['London', 'GB', 'en-GB', 8],
  ['Amsterdam', 'NL', 'nl-NL', 7],
  ['Paris', 'FR', 'fr-FR', 6],
  ['New York', 'US', 'en-US', 6],
  ['San Francisco', 'US', 'en-US', 3],
  ['Stockholm', 'SE', 'sv-SE', 4],
  ['Warsaw', 'PL', 'pl-PL', 4],
  ['Vienna', 'AT', 'de-AT', 4],
  ['Zurich', 'CH', 'de-CH', 3],
  ['Toronto', 'CA', 'en-CA', 2],
  ['São Paulo', 'BR', 'pt-BR', 2],
  ['Tokyo', 'JP', 'ja-JP', 2],
  ['Sydney', 'AU', 'en-AU', 2],
  ['Mumbai', 'IN', 'en-IN', 2],
  ['Cape Town', 'ZA', 'en-ZA', 1],
] as const

const browsers = [
  [agents.safariOnIphone, 34],
  [agents.chromeOnAndroid, 24],
  [agents.chromeOnWindows, 17],
  [agents.firefoxOnLinux, 8],
  [agents.safariOnMac, 9],
  [agents.edgeOnWindows, 5],
  [agents.safariOnIpad, 3],
  [agents.googlebot, 4],
  [agents.slackbot, 2],
] as const

/** Where visitors found the link; mostly unknown. */
const sources: readonly (readonly [Pick<Visitor, 'referer' | 'query'>, number])[] = [
  [{}, 26],
  [{ query: '?qr' }, 21],
  [{ query: '?utm_source=newsletter&utm_medium=email&utm_campaign=autumn-tour' }, 14],
  [{ query: '?utm_source=instagram&utm_medium=social&utm_campaign=autumn-tour' }, 6],
  [{ referer: 'https://www.google.com/' }, 13],
  [{ referer: 'https://mastodon.social/' }, 8],
  [{ referer: 'https://duckduckgo.com/' }, 5],
  [{ referer: 'https://en.wikipedia.org/' }, 4],
  [{ referer: 'https://www.stage-door.example/' }, 3],
]

/** A network for each city. */
export const networks: Networks = Object.fromEntries(
  cities.map(([city, country], index) => [`81.2.${index}.0/24`, place(city, country)]),
)

/** A visitor with a city, a browser and a source. */
export function somebody(chance: Chance): Visitor {
  const city = chance.oneOf(cities.map(it => [it, it[3]] as const))
  return {
    ...chance.oneOf(sources),
    ip: `81.2.${cities.indexOf(city)}.${chance.upTo(4)}`,
    agent: chance.oneOf(browsers),
    language: city[2],
  }
}
