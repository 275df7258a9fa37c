import { isValidElement } from 'react'
import { expect, it } from 'vitest'
import { showHidden as ofServer } from '../../../../core/lib/text/shown.ts'
import { Fragment, jsx, jsxs } from '../../../../plugins/dashboard/web/shared/text/jsx-runtime.ts'
import { showHidden } from '../../../../plugins/dashboard/web/shared/text/shown.ts'

const hidden = 'gpj\u202eexe\u200b'
const seen = 'gpj\ufffdexe\ufffd'

const propsOf = (element: unknown) =>
  isValidElement<{ children: unknown }>(element) ? element.props : undefined

it('shows what the server shows of hidden characters, but for lines, tabs and the per cent sign of Arabic', () => {
  const all = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
  const other = all.filter(it => showHidden(it) !== ofServer(it))
  expect(other).toEqual(['\t', '\n', '\r', '\u061c'])
  const percents = ['ar', 'he', 'fa'].map(it =>
    new Intl.NumberFormat(it, { style: 'percent' }).format(0.5),
  )
  for (const percent of percents) expect(showHidden(percent)).toBe(percent)
})

it.each([
  ['a letter with what Hebrew, Vietnamese and Thai pile up', 'בְּ֖ ệ ที่', 'בְּ֖ ệ ที่'],
  ['a syllable of Tibetan, and Hebrew with vowels and accents', 'བྷྲཱུྃ שָּֽׁ֖', 'བྷྲཱུྃ שָּֽׁ֖'],
  ['a heap of marks', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(10)}\ufffdb`],
  ['emoji', '❤️ 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿', '❤️ 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
])('draws no marks over other lines: %s', (_, text, shown) => {
  expect(showHidden(text)).toBe(shown)
})

it('shows it in every text, list of texts and label that becomes an element', () => {
  const label = { 'aria-label': hidden, title: hidden, className: hidden }
  expect(propsOf(jsx('p', { ...label, children: hidden }))).toEqual({
    ...{ 'aria-label': seen, title: seen, className: hidden },
    children: seen,
  })
  expect(propsOf(jsxs(Fragment, { children: [hidden, ['plain', [hidden]], 1, null] }))).toEqual({
    children: [seen, ['plain', [seen]], 1, null],
  })
  const input = { value: hidden, defaultValue: hidden, onChange: () => undefined }
  expect(propsOf(jsx('input', input))).toEqual(input)
  const Part = ({ title }: { title: string }) => title
  expect(propsOf(jsx(Part, { title: hidden }))).toEqual({ title: hidden })
})

it('keeps what has nothing to show as it is', () => {
  const children = ['plain', 1]
  const element = jsxs('p', { children }, 'key')
  expect(propsOf(element)?.children).toBe(children)
  expect(element.key).toBe('key')
})
