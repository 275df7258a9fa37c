import { describe, expect, it } from 'vitest'
import { collectGarbage } from '../../../../core/lib/memory/collect-garbage.ts'
import { remember } from '../../../../core/lib/memory/remember.ts'

function counting(max: number) {
  const asked: string[] = []
  const shout = remember(text => {
    asked.push(text)
    return text.toUpperCase()
  }, max)
  return { shout, asked }
}

async function heapBytes(): Promise<number> {
  await collectGarbage()
  return process.memoryUsage().heapUsed
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

  it('keeps no text that is long, nor one that a kept text was cut out of', async () => {
    const { shout, asked } = counting(3)
    for (const text of ['x'.repeat(2_049), 'x'.repeat(2_049)]) shout(text)
    expect(asked).toHaveLength(2)

    const lengthOf = remember(text => text.length, 1_000)
    const before = await heapBytes()
    for (let index = 0; index < 500; index += 1) {
      lengthOf(`${index} ${'x'.repeat(100_000)}`.slice(0, 500))
    }
    expect((await heapBytes()) - before).toBeLessThan(10_000_000)
    expect(lengthOf(`7 ${'x'.repeat(498)}`)).toBe(500)
  })

  it('forgets what was not asked for while twice as many others were', () => {
    const { shout, asked } = counting(2)
    for (const text of ['a', 'b', 'c', 'd', 'a']) shout(text)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'a'])
  })
})
