import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newRowId, publicId, readPublicId } from '../../../core/lib/public-id.ts'

const alphabet = 'QHjkdYfmFMRTBb2tqgXwsZCPp3KnD9Wyz74hGVNv8J65Sxcr'
const rows = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const letters = fc.array(fc.constantFrom(...alphabet), { minLength: 8, maxLength: 30 })

it('reads back every number it is given', () => {
  fc.assert(fc.property(rows, row => readPublicId('lnk', publicId('lnk', row)) === row))
})

it('reads nothing of another kind', () => {
  fc.assert(fc.property(rows, row => readPublicId('tag', publicId('lnk', row)) === undefined))
})

it('never throws, whatever the text, and reads only what it would have written', () => {
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
    { numRuns: 5_000 },
  )
})

it.each([
  ['stands for a number past all', 'tag_hx4rxtj6Pf8jv9RTZB7tDb6zXgfW7s'],
  ['repeats one letter a million times', `tag_${'Q'.repeat(1_000_000)}`],
  ['has every letter many times', `tag_${alphabet.repeat(20_000)}`],
])('reads nothing in a text that %s', (_, text) => {
  expect(readPublicId('tag', text)).toBeUndefined()
})

it('numbers rows so that none has the number of another, and each can be read back', () => {
  const numbers = Array.from({ length: 1_000 }, newRowId)
  expect(new Set(numbers).size).toBe(1_000)
  expect(numbers.map(it => readPublicId('lnk', publicId('lnk', it)))).toEqual(numbers)
})
