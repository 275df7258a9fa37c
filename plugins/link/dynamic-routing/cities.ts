import { type City, line, type Visit } from '../../../core/plugin.ts'

/** The name of a city, or `US|Illinois|Springfield`, as analytics write it. Of country and region, what is empty may be any. */
export const citySchema = line(200).refine(
  // An empty text is refused already.
  text => text === '' || readCity(text) !== undefined,
  'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield.',
)

/** What a text says of a city; undefined if it names none. */
export function readCity(text: string): (City & { readonly region: string }) | undefined {
  const parts = text.split('|').map(part => part.trim())
  const [country = '', region = '', name = ''] = parts.length === 1 ? ['', '', ...parts] : parts
  const isOne = parts.length <= 3 && name !== '' && /^([A-Za-z]{2})?$/.test(country)
  return isOne ? { country: country.toUpperCase(), region, name } : undefined
}

/** A city as analytics write it. */
export function tellCity({ country, region = '', name }: City): string {
  return [country, region, name].join('|')
}

/** Returns a function that tells whether a visit comes from one of these cities. */
export function compileCities(texts: readonly string[]): (visit: Visit) => boolean {
  const wanted = texts.flatMap(text => readCity(text) ?? []).map(folded)
  return ({ place: { city } }) => {
    if (!city) return false
    const seen = folded(city)
    return wanted.some(
      ({ name, region, country }) =>
        name === seen.name &&
        ['', seen.region].includes(region) &&
        ['', seen.country].includes(country),
    )
  }
}

function folded({ name, region = '', country }: City) {
  return { name: fold(name), region: fold(region), country }
}

/** Files differ in accents: one says São Paulo, another Sao Paulo. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
