import { afterAll, expect, it, vi } from 'vitest'
import { serverTexts } from '../../../../plugins/dashboard/web/texts/de/server.ts'

vi.mock('../../../../plugins/dashboard/web/words.ts', () => ({ words: { serverTexts } }))
vi.mock('../../../../plugins/dashboard/web/language/language.ts', () => ({
  language: 'de',
  locale: 'de',
}))
// Files of tests share what they import, and others are in English.
vi.resetModules()
const { valueSaid } = await import('../../../../plugins/dashboard/web/api/analytics/value-said.ts')

afterAll(() => {
  vi.resetModules()
})

it.each([
  ['visitsByCountry', 'FR', 'France', 'Frankreich'],
  ['visitsByLanguage', 'de', 'German', 'Deutsch'],
  [
    'visitsByCity',
    'US|Illinois|Springfield',
    'Springfield, Illinois, United States',
    /^Springfield, Illinois, Vereinigte Staaten/,
  ],
  ['visitsByCity', 'SG||Singapore', 'Singapore', 'Singapur'],
  ['visitsByDeviceType', 'desktop', 'Desktop', 'Computer'],
  ['visitsByReferer', '(none)', 'Direct / unknown', 'Direkt / unbekannt'],
  ['visitsByReferer', '(other)', 'Other', 'Anderes'],
  ['utmSource', 'Tags', 'Tags', 'Tags'],
  ['visitsByCountry', 'no code', 'Nowhere', 'Nowhere'],
])('of %s, %s is not “%s” but “%s”', (dimension, value, label, name) => {
  expect(valueSaid(dimension, value, label)).toMatch(name)
})
