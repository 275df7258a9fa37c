import { describe, expect, it } from 'vitest'
import { inForm } from '../../../../core/lib/text/normal-form.ts'

describe('a text in a normal form', () => {
  it('is one with others that look the same', () => {
    expect(inForm('NFC', 'u\u0308')).toBe('\u00fc')
    expect(inForm('NFKC', '\uff11')).toBe('1')
  })

  it('keeps as many marks on a letter as anybody means', () => {
    const written = `a${'\u0315\u0300\u0327'.repeat(10)}`
    expect(inForm('NFC', written)).toBe(written.normalize('NFC'))
  })

  it('is left as it is where there are more: ordering them takes the square of their number', () => {
    const written = `a${'\u0315\u0300\u0327'.repeat(11)}`
    expect(inForm('NFC', written)).toBe(written)
    expect(inForm('NFC', `e\u0301 ${written} e`)).toBe(`e\u0301 ${written} e`)
  })

  it('takes no longer to look for them where there are almost as many than where there are few', () => {
    const length = 100_000
    const inMs = (marks: number) => {
      const text = `a${'\u0315'.repeat(marks)}`.repeat(length / (marks + 1))
      const times = Array.from({ length: 5 }, () => {
        const startedAt = performance.now()
        inForm('NFC', text)
        return performance.now() - startedAt
      })
      return Math.min(...times)
    }
    expect(inMs(28)).toBeLessThan(5 * inMs(1))
  })
})
