import { describe, expect, it } from 'vitest'
import { createChooseLanguage } from '../../../../core/http/pages/choose-language.ts'
import { broughtLanguages } from '../../../../core/kernel/hooks/languages.ts'
import { definePlugin } from '../../../../core/plugin.ts'

const choose = createChooseLanguage()
const chooseOfMore = createChooseLanguage(
  broughtLanguages([
    definePlugin({
      feature: 'acme.languages',
      about: 'Brings two languages.',
      unstable: { languages: { it: { name: 'Italiano' }, 'pt-BR': { name: 'Português' } } },
    }),
  ]),
)

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['nl, es;q=0.7, de;q=0.9', 'de'],
    ['en;q=0.5, es;q=0.50001', 'es'],
    ['de;q=0.8, fr;q=0.8', 'de'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['de;q=0', 'en'],
    ['nl, ja', 'en'],
    ['den, deutsch', 'en'],
    ['de;q=2, es;q=0.1', 'es'],
    ['de;q=no', 'en'],
    ['  es-419 ; Q=1 ', 'es'],
    [';;,,q=1;de', 'en'],
    [`${'x,'.repeat(100_000)}de`, 'en'],
  ])('for %j is %s', (header, language) => {
    // The second time it may be remembered.
    expect([choose(header).lang, choose(header).lang]).toEqual([language, language])
  })

  it.each([
    ['it', 'it'],
    ['it-CH, de;q=0.9', 'it'],
    ['de, it;q=0.9', 'de'],
    ['pt-br', 'pt-BR'],
    ['pt-BR-x-rio, fr;q=0.1', 'pt-BR'],
    ['pt', 'en'],
    ['pt-PT, fr;q=0.1', 'fr'],
    ['ital', 'en'],
  ])('for %j, with languages of plugins, is %s', (header, language) => {
    expect(chooseOfMore(header).lang).toBe(language)
  })
})
