import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newRowId, publicId, readPublicId } from '../../../core/lib/public-id.ts'
import { tries } from '../../at-night.ts'

const alphabet = 'QHjkdYfmFMRTBb2tqgXwsZCPp3KnD9Wyz74hGVNv8J65Sxcr'
const rows = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const letters = fc.array(fc.constantFrom(...alphabet), { minLength: 8, maxLength: 30 })

it('a public id reads back as the number that it was made of', () => {
  fc.assert(fc.property(rows, row => readPublicId('lnk', publicId('lnk', row)) === row))
})

it('a public id of another kind reads as nothing', () => {
  fc.assert(fc.property(rows, row => readPublicId('tag', publicId('lnk', row)) === undefined))
})

it('reading a public id never throws, whatever the text, and reads only what would have been written', () => {
  const forged = letters.map(it => `tag_${it.join('')}`)
  const texts = fc.oneof(
    forged,
    fc.string({ unit: 'binary' }).map(it => `tag_${it}`),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, text => {
      const row = readPublicId('tag', text)
      expect(row === undefined || publicId('tag', row) === text).toBe(true)
    }),
    tries(2_000),
  )
})

it.each([
  ['stands for a number past all', 'tag_hx4rxtj6Pf8jv9RTZB7tDb6zXgfW7s'],
  ['repeats one letter a million times', `tag_${'Q'.repeat(1_000_000)}`],
  ['has every letter many times', `tag_${alphabet.repeat(20_000)}`],
])('a text that %s is no public id', (_, text) => {
  expect(readPublicId('tag', text)).toBeUndefined()
})

it('new rows get numbers of their own, and each can be read back', () => {
  const numbers = Array.from({ length: 1_000 }, newRowId)
  expect(new Set(numbers).size).toBe(1_000)
  expect(numbers.map(it => readPublicId('lnk', publicId('lnk', it)))).toEqual(numbers)
})
