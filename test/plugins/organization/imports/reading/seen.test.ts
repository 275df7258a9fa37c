import { expect, it } from 'vitest'
import { collectGarbage } from '../../../../../core/lib/memory/collect-garbage.ts'
import { createSeen } from '../../../../../plugins/organization/imports/reading/seen.ts'

it('says once what was not there before, and remembers at least the last so many', () => {
  const seen = createSeen(3)
  expect(['a', 'b', 'a', 'c', 'd', 'b'].map(name => seen.add(name))).toEqual([
    ...[true, true, false, true, true],
    false,
  ])
  for (const name of ['e', 'f', 'g', 'h']) seen.add(name)
  expect([seen.has('a'), seen.has('f'), seen.has('h')]).toEqual([false, true, true])
})

it('knows names of a megabyte, and takes little memory for them', async () => {
  const seen = createSeen()
  const nameOf = (index: number) => `${index} ${'x'.repeat(1_000_000)}`
  const bytes = async () => {
    await collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await bytes()
  for (let index = 0; index < 60; index += 1) expect(seen.add(nameOf(index))).toBe(true)
  expect((await bytes()) - before).toBeLessThan(10_000_000)
  expect([seen.add(nameOf(7)), seen.add(nameOf(60))]).toEqual([false, true])
})
