import { expect, it } from 'vitest'
import { tookTooLong } from '../../../../core/http/api/answer.ts'
import { oneByOne, successesOf } from '../../../../core/http/api/one-by-one.ts'
import { refuse } from '../../../../core/plugin/outcomes.ts'

it('a bulk request begins one item after another, also while one waits, and after one that was refused', async () => {
  const refusal = refuse('no', 'No.')
  const order: string[] = []
  let lastBegins: () => void = () => undefined
  const lastHasBegun = new Promise<void>(resolve => {
    lastBegins = resolve
  })
  const results = await oneByOne(['a', 'b', 'c'], 8_000, async (item, index) => {
    order.push(`${item} begins`)
    if (index === 0) await lastHasBegun
    if (index === 2) lastBegins()
    order.push(`${item} ends`)
    return index === 1 ? refusal : { item }
  })
  expect(order).toEqual(['a begins', 'b begins', 'b ends', 'c begins', 'c ends', 'a ends'])
  expect(results).toEqual([{ item: 'a' }, refusal, { item: 'c' }])
  expect(successesOf(results)).toEqual([{ item: 'a' }, { item: 'c' }])
})

it('a bulk request refuses items for which no time is left, and does not begin them', async () => {
  let elapsedMs = 0
  const done: number[] = []
  const work = async (item: number) => {
    elapsedMs += 5_000
    done.push(item)
    return { item }
  }
  const results = await oneByOne([1, 2, 3, 4], 8_000, work, () => elapsedMs)
  expect(results).toEqual([{ item: 1 }, { item: 2 }, tookTooLong, tookTooLong])
  expect(done).toEqual([1, 2])
})

it('a bulk request lets others have their turn before each thing, and before what is made of them all', async () => {
  const order: string[] = []
  const others = (left: number) => {
    order.push('others')
    if (left > 1) setImmediate(others, left - 1)
  }
  setImmediate(others, 4)
  await oneByOne([1, 2, 3], 8_000, async item => {
    order.push(`thing ${item}`)
    return { item }
  })
  order.push('all')
  const inOrder = ['thing 1', 'others', 'thing 2', 'others', 'thing 3', 'others', 'all']
  expect(order).toEqual(['others', ...inOrder])
})
