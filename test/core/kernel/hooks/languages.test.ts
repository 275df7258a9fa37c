import { describe, expect, it } from 'vitest'
import { broughtLanguages } from '../../../../core/kernel/hooks/languages.ts'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import { definePlugin, type Language } from '../../../../core/plugin.ts'

function bring(language: Omit<Language, 'name'>) {
  const plugin = definePlugin({
    feature: 'acme.italian',
    about: 'Speaks Italian.',
    unstable: { languages: { it: { name: 'Italiano', ...language } } },
  })
  const [brought] = broughtLanguages([plugin])
  if (!brought) throw new Error('The plugin brings no language.')
  return brought
}

describe('a text of a language', () => {
  it.each([
    ['Save', 'Salva'],
    ['{} of {}', '{} di {}'],
    ['{} of {}', 'di {2}, {1}'],
    ['{} links', { one: 'un link', other: '{} link' }],
    ['Use “{}”', 'Usa «{}»'],
    ['texts.common.range', '{1}–{2} di {3}'],
    ['Leave <b> out', 'Senza <b>'],
  ])('%j is used as %j', (text, here) => {
    const { dashboard, unfit } = bring({ dashboard: { [text]: here } })
    expect([dashboard, unfit]).toEqual([{ [text]: here }, []])
  })

  it('is left out where it is not translated yet', () => {
    const { dashboard, unfit } = bring({ dashboard: { Save: '' } })
    expect([dashboard, unfit]).toEqual([{}, []])
  })

  it.each([
    ['{} of {}', '{} di', 'its {} are not those of English'],
    ['{} of {}', '{1} di {1}', 'its {} are not those of English'],
    ['Save', 'Salva {}', 'its {} are not those of English'],
    ['{} links', { one: '{2} link', other: '{} link' }, 'its {} are not those of English'],
    ['{} links', { one: '{} link', other: 'link' }, 'its {} are not those of English'],
    ['{}{} links', '{}{} link', 'nothing stands beside its {}'],
    ['{}', '{}', 'nothing stands beside its {}'],
    ['Save', '<b>Salva</b>', 'it has markup in it'],
    ['Save', 'Salva &nbsp;', 'it has markup in it'],
    ['Save', 'avlaS\u202e', 'it has characters that nobody sees in it'],
    ['Save', 'Salva\u0000', 'it has characters that nobody sees in it'],
    ['Save', 'Salva'.repeat(20), 'it is too long'],
    ['texts.common.save', 'Salva'.repeat(1_000), 'it is too long'],
  ])('%j is not used as %j', (text, here, why) => {
    const { dashboard, unfit } = bring({ dashboard: { [text]: here, Close: 'Chiudi' } })
    expect([dashboard, unfit]).toEqual([{ Close: 'Chiudi' }, [{ text, why }]])
  })
})

describe('a plugin with a language', () => {
  const mistakesOf = (languages: unknown) =>
    checkPlugin(
      { api: 1, feature: 'acme.italian', about: 'Speaks Italian.', unstable: { languages } },
      'acme.italian',
    )

  it('may bring any number of texts that Linnet can have', () => {
    const visitors = Object.fromEntries([...Array(5_000).keys()].map(it => [`${it}`, `${it}`]))
    expect(mistakesOf({ it: { name: 'Italiano', visitors }, 'zh-Hant': { name: '中文' } })).toEqual(
      [],
    )
  })

  it.each([
    [['it'], 'invalid languages'],
    [{ italian: { name: 'Italiano' } }, 'a language "italian"'],
    [{ __it: { name: 'Italiano' } }, 'a language "__it"'],
    [{ de: { name: 'Deutsch' } }, 'the language de, which comes with Linnet'],
    [{ 'de-CH': { name: 'Deutsch' } }, 'the language de-CH, which comes with Linnet'],
    [{ it: null }, 'an invalid language it'],
    [{ it: {} }, 'an invalid language it: name'],
    [{ it: { name: 'Ital\niano' } }, 'an invalid language it: name'],
    [{ it: { name: 'Italiano', dir: 'up' } }, 'an invalid language it: dir'],
    [{ it: { name: 'Italiano', text: {} } }, 'an invalid language it'],
    [{ it: { name: 'Italiano', visitors: { Save: 1 } } }, 'an invalid language it: visitors.Save'],
    [{ it: { name: 'Italiano', visitors: { Save: { other: '' } } } }, 'visitors.Save'],
    [{ it: { name: 'Italiano', dashboard: { Save: { many: '' } } } }, 'dashboard.Save'],
    [
      { it: { name: 'Italiano', server: { ['a'.repeat(600_000)]: 'b' } } },
      'with more than 5000 texts or 512 KiB',
    ],
  ])('is refused for %j', (languages, why) => {
    expect(mistakesOf(languages)).toEqual([expect.stringContaining(why)])
  })
})
