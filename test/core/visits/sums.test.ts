import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sums } from '../../../core/visits/sums.ts'

const key = fc.tuple(
  fc.constantFrom(0, 1, 2 ** 31 - 1),
  fc.nat({ max: 40 }),
  fc.constantFrom(0, 498_612, 2 ** 40, 2 ** 40 + 2 ** 32),
)
const additions = fc.array(fc.tuple(key, fc.nat({ max: 1_000 })), { maxLength: 400 })

type Addition = readonly [owner: number, name: number, time: number, amount: number]

function sumUp(all: readonly Addition[]): readonly Addition[] {
  const sums = new Sums()
  for (const one of all) sums.add(...one)
  const found: Addition[] = []
  sums.each((...sum) => found.push(sum))
  expect(sums.size).toBe(found.length)
  return found
}

describe('sums', () => {
  it('are what one adds up by hand, in the order in which they began', () => {
    fc.assert(
      fc.property(additions, all => {
        const expected = new Map<string, Addition>()
        for (const [[owner, name, time], amount] of all) {
          const key = `${owner} ${name} ${time}`
          expected.set(key, [owner, name, time, (expected.get(key)?.[3] ?? 0) + amount])
        }
        expect(sumUp(all.map(([key, amount]) => [...key, amount]))).toEqual([...expected.values()])
      }),
    )
  })

  it('are told apart by tens of thousands', () => {
    const all = Array.from({ length: 50_000 }, (_, at): Addition => [at % 1_000, at, 498_612, 1])
    expect(sumUp(all)).toEqual(all)
    expect(sumUp([...all, ...all])).toEqual(all.map(([...key]) => [...key.slice(0, 3), 2]))
  })

  it('have numbers from 0 up', () => {
    const sums = new Sums()
    expect([sums.add(1, 1, 1, 1), sums.add(1, 1, 2, 1), sums.add(1, 1, 1, 5)]).toEqual([0, 1, 0])
  })
})
