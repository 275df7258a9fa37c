import { describe } from 'vitest'
import visitsByLanguage from '../../../plugins/analytics/visits-by-language.ts'
import { looksAtVisitors } from './visitor-dimension.ts'

describe('the language', () => {
  looksAtVisitors(
    visitsByLanguage,
    [
      [{ 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' }, 'de-CH'],
      [{ 'accept-language': 'en;q=0.5, fr;q=0.9' }, 'fr'],
      [{ 'accept-language': 'FR-fr' }, 'fr-FR'],
      [{ 'accept-language': 'zh-hant-tw' }, 'zh-TW'],
      [{ 'accept-language': 'en, de' }, 'en'],
      [{ 'accept-language': 'de;q=0, fr;q=0.0' }, undefined],
      [{ 'accept-language': 'de;Q=0.1, fr; q=0.2' }, 'fr'],
      [{ 'accept-language': '*' }, undefined],
      [{ 'accept-language': 'x'.repeat(600) }, undefined],
      [{ 'accept-language': '<script>' }, undefined],
      [{}, undefined],
    ],
    'German (Switzerland)',
  )
})
