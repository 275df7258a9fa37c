import { describe, expect, it } from 'vitest'
import { allTexts } from '../../../../.ci/release/all-texts.ts'
import { type Dictionary, spokenBy } from '../../../../plugins/dashboard/web/language/spoken.ts'
import * as rest from '../../../../plugins/dashboard/web/texts/rest.ts'
import * as first from '../../../../plugins/dashboard/web/texts.ts'

const english = {
  save: 'Save',
  share: { part: 'Share', verb: 'Share' },
  range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  deleted: (count: number, shown: string) =>
    count === 1 ? 'Link deleted.' : `${shown} links deleted.`,
  removed: (count: number, shown: string) =>
    count === 0
      ? 'No link has it.'
      : count === 1
        ? 'One link loses it.'
        : `${shown} links lose it.`,
  filters: (count: number) => (count > 0 ? `Filters (${count})` : 'Filters'),
  welcome: (name: string | null) => (name ? `Welcome, ${name}` : 'Welcome to Linnet'),
}

const inLanguage = (tag: string, dictionary: Dictionary) =>
  spokenBy(tag, dictionary)(english) as typeof english

describe('a dashboard in a language of a plugin', () => {
  it('says what the plugin says, by English or by a path, and all else in English', () => {
    const { save, share } = inLanguage('it', {
      Save: 'Salva',
      Share: 'Quota',
      'share.verb': 'Condividi',
    })
    expect([save, share]).toEqual(['Salva', { part: 'Quota', verb: 'Condividi' }])
    const { save: kept, range } = inLanguage('it', {})
    expect([kept, range('1', '2', '3')]).toEqual(['Save', '1–2 of 3'])
  })

  it('puts values where the language has them', () => {
    const { range } = inLanguage('ja', { '{}–{} of {}': '{3}件中{1}〜{2}' })
    expect(range('1', '50', '<b>')).toBe('<b>件中1〜50')
    const byPath = inLanguage('ja', { range: '{3}/{4}' }).range
    expect(byPath('1', '50', '99')).toBe('99/')
  })

  it.each([
    [1, '1 link usunięty.'],
    [3, '3 linki usunięte.'],
    [5, '5 linków usuniętych.'],
    [22, '22 linki usunięte.'],
    [0, '0 linków usuniętych.'],
  ])('chooses the form for %j by the rules of the language', (count, said) => {
    const one = '{} link usunięty.'
    const few = '{} linki usunięte.'
    const many = '{} linków usuniętych.'
    const { deleted } = inLanguage('pl', { '{} links deleted.': { one, few, many, other: few } })
    expect(deleted(count, String(count))).toBe(said)
  })

  it('says what English says for none or one, where the language has no more forms', () => {
    const { deleted, removed } = inLanguage('it', {
      'Link deleted.': 'Link eliminato.',
      '{} links deleted.': '{} link eliminati.',
      'No link has it.': 'Nessun link ce l’ha.',
      '{} links lose it.': { one: 'Un link la perde.', other: '{} link la perdono.' },
    })
    expect([deleted(1, '1'), deleted(7, '7')]).toEqual(['Link eliminato.', '7 link eliminati.'])
    const said = [0, 1, 2].map(count => removed(count, String(count)))
    expect(said).toEqual(['Nessun link ce l’ha.', 'Un link la perde.', '2 link la perdono.'])
  })

  it('knows a number that is written as it is, and a value that is missing', () => {
    const { filters, welcome } = inLanguage('it', {
      Filters: 'Filtri',
      'Filters ({})': 'Filtri ({})',
      'Welcome to Linnet': 'Benvenuti in Linnet',
      'Welcome, {}': 'Benvenuta, {}',
    })
    expect([filters(0), filters(2)]).toEqual(['Filtri', 'Filtri (2)'])
    expect([welcome(null), welcome('Ada')]).toEqual(['Benvenuti in Linnet', 'Benvenuta, Ada'])
  })
})

describe('the list of all texts', () => {
  const { dashboard, visitors, server } = allTexts()

  it('has every text of the dashboard: with all of them translated, none is English', () => {
    const marked = Object.fromEntries(Object.keys(dashboard).map(it => [it, `«${it}»`]))
    const spoken = spokenBy('it', marked)({ ...first, ...rest })
    const strange: string[] = []
    const visit = (part: unknown) => {
      if (typeof part === 'object') Object.values(part ?? {}).forEach(visit)
      else if (typeof part === 'string') check(part)
      else if (typeof part === 'function') {
        for (const one of [0, 1, 2, 'Plugh']) {
          for (const other of [0, 1, 2, 'Xyzzy']) check(part(one, other, one, other))
        }
      }
    }
    const check = (said: string) => {
      if (!/^«.*»$/s.test(said)) strange.push(said)
    }
    visit(spoken)
    expect(strange).toEqual([])
    expect(Object.keys(dashboard).length).toBeGreaterThan(1_000)
  })

  it('has what visitors read, with places for values', () => {
    expect(visitors).toEqual(
      expect.arrayContaining(['No link here', 'This link is protected', 'Go to {}']),
    )
    expect(visitors).not.toContain('Come back on Monday.')
  })

  it('has what the server says, and what problems mean', () => {
    expect(server).toEqual(
      expect.arrayContaining(['Short code', 'It does not exist, or is not yours.']),
    )
  })
})
