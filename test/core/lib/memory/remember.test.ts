import { describe, expect, it } from 'vitest'
import { remember } from '../../../../core/lib/memory/remember.ts'

function counting(max: number) {
  const asked: string[] = []
  const shout = remember(text => {
    asked.push(text)
    return text.toUpperCase()
  }, max)
  return { shout, asked }
}

describe('a function that remembers', () => {
  it('works a text out once, also when that gives nothing', () => {
    let asked = 0
    const nothing = remember(() => {
      asked += 1
    })
    expect([nothing('a'), nothing('a'), asked]).toEqual([undefined, undefined, 1])
  })

  it('knows at least as many texts as it was told to, the ones asked for last', () => {
    const { shout, asked } = counting(3)
    for (const text of ['a', 'b', 'a', 'c', 'd', 'a', 'e', 'f', 'a']) {
      expect(shout(text)).toBe(text.toUpperCase())
    }
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('forgets what was not asked for while twice as many others were', () => {
    const { shout, asked } = counting(2)
    for (const text of ['a', 'b', 'c', 'd', 'a']) shout(text)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'a'])
  })
})
