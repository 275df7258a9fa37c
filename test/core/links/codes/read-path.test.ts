import { expect, it } from 'vitest'
import { readPath } from '../../../../core/links/codes/read-path.ts'

it.each([
  ['abc', { code: 'abc', suffix: undefined }],
  ['abc+', { code: 'abc', suffix: '+' }],
  ['A-b_9~info', { code: 'A-b_9', suffix: '~info' }],
  ['abc.png', { code: 'abc', suffix: '.png' }],
  [`${'x'.repeat(64)}+`, { code: 'x'.repeat(64), suffix: '+' }],
  ['abc/', { code: 'abc', suffix: undefined }],
  ['abc+/', { code: 'abc', suffix: '+' }],
  ['%61%2Db%5F9', { code: 'a-b_9', suffix: undefined }],
  ['a%7einfo', { code: 'a', suffix: '~info' }],
])('%s is a code and what follows it', (path, expected) => {
  expect(readPath(path)).toEqual(expected)
})

it.each([
  '',
  '+',
  'abc++',
  'abc+1',
  '/',
  'abc//',
  'abc/d',
  'a%2Bb',
  'a%2Fb',
  'a%',
  'a%4',
  'a%2561',
  'a%C3%A4',
  'a%00',
  'ä',
  'abc+\n',
  'x'.repeat(65),
])('%j is no path of a link', path => {
  expect(readPath(path)).toBeUndefined()
})
