import { describe, expect, it } from 'vitest'
import { isReserved } from '../../../../core/links/codes/reserved-codes.ts'
import { makeShortCode } from '../../../../core/links/write/short-code.ts'

describe('a code that is made up', () => {
  const codes = Array.from({ length: 5_000 }, () => makeShortCode(0))

  it('has seven characters that nobody misreads, and no vowel that would make a word', () => {
    for (const code of codes) expect(code).toMatch(/^[^\W_01aeiouylAEIOUY]{7}$/)
  })

  it('is another one each time, of all characters alike', () => {
    expect(new Set(codes).size).toBe(codes.length)
    const counts = new Map<string, number>()
    for (const one of codes.join('')) counts.set(one, (counts.get(one) ?? 0) + 1)
    const expected = (codes.length * 7) / counts.size
    expect(counts.size).toBe(47)
    for (const [one, count] of counts) {
      expect(Math.abs(count / expected - 1), `${one} came ${count} times`).toBeLessThan(0.3)
    }
  })

  it('gets longer when it was taken again and again', () => {
    const lengths = [0, 3, 4, 7, 8, 15].map(attempt => makeShortCode(attempt).length)
    expect(lengths).toEqual([7, 7, 8, 8, 9, 10])
  })
})

describe('a code that somebody chose', () => {
  const paths = new Map([
    ['bio', 'base'],
    ['rest', 'all'],
  ] as const)

  it.each(['api', 'API', 'Dashboard', 'health', 'robots', 'well-known', 'Bio'])(
    'is not %s',
    code => {
      expect(isReserved('', code, paths)).toBe(true)
    },
  )

  it.each(['api', 'bio', 'apis'])('may be %s on a custom host', code => {
    expect(isReserved('go.example.com', code, paths)).toBe(false)
  })

  it('is nowhere that of a mount on all hosts', () => {
    expect(isReserved('', 'rest', paths)).toBe(true)
    expect(isReserved('go.example.com', 'Rest', paths)).toBe(true)
  })

  it.each(['apis', 'my-api', 'Health2', 'sale'])('may be %s', code => {
    expect(isReserved('', code, paths)).toBe(false)
  })
})
