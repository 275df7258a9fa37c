import { expect, it } from 'vitest'
import visitsByCity from '../../../plugins/analytics/visits-by-city.ts'
import visitsByCountry from '../../../plugins/analytics/visits-by-country.ts'
import visitsByLanguage from '../../../plugins/analytics/visits-by-language.ts'

const country = visitsByCountry.dimensions?.visitsByCountry?.labelOf
const language = visitsByLanguage.dimensions?.visitsByLanguage?.labelOf
const city = visitsByCity.dimensions?.visitsByCity?.labelOf

it('countries, languages and cities have English names', () => {
  expect(country?.('DE')).toBe('Germany')
  expect(language?.('pt-BR')).toBe('Portuguese (Brazil)')
  expect(city?.('DE|Bavaria|Munich')).toBe('Munich, Bavaria, Germany')
})

it.each(['<script>', 'x?y', '', 'G', '\u0000', 'de_', '__proto__'])(
  '%j, as somebody may import it, is its own name',
  value => {
    expect([country?.(value), language?.(value)]).toEqual([value, value])
    expect(city?.(`${value}||Oz`)).toBe(value === '' ? 'Oz' : `Oz, ${value}`)
  },
)
