import { beforeEach, expect, it } from 'vitest'
import { batchConcurrent } from '../../../../core/lib/async/batch-concurrent.ts'
import { yieldToRedirects } from '../../../../core/lib/async/yield-to-redirects.ts'
import { countTurns, type Tally } from '../../../tally.ts'

const turns = countTurns()
let goes: string[][]
let wentOn: Tally

beforeEach(() => {
  goes = []
  wentOn = turns.tally()
})

const grow = batchConcurrent({
  atMost: 4,
  keyOf: (word: string) => word.length,
  async work(words) {
    goes.push([...words])
    if (words.includes('no')) throw new Error('No.')
    return words.map(word => (word === 'off' ? Promise.reject(new Error('Off.')) : `${word}s`))
  },
})
/** Each asks in a turn of its own, as requests do that came at the same moment. */
const growAll = (words: readonly string[]) =>
  Promise.allSettled(
    words.map(async word => {
      await yieldToRedirects()
      const grown = await grow(word)
      wentOn.add()
      return grown
    }),
  )
const outcomesOf = async (...words: string[]) =>
  (await growAll(words)).map(it => (it.status === 'fulfilled' ? it.value : it.reason.message))

it('what is asked for at the same moment is done in one go, and each caller goes on in a turn of its own', async () => {
  expect(await outcomesOf('cat', 'dog', 'hen')).toEqual(['cats', 'dogs', 'hens'])
  expect(goes).toEqual([['cat', 'dog', 'hen']])
  expect([wentOn.sum(), wentOn.most()]).toEqual([3, 1])
})

it('so much is done in one go at most', async () => {
  await outcomesOf('cat', 'dog', 'hen', 'cow', 'pig', 'rat')
  expect(goes).toEqual([
    ['cat', 'dog', 'hen', 'cow'],
    ['pig', 'rat'],
  ])
})

it('items with different keys are done apart', async () => {
  await outcomesOf('cat', 'horse', 'dog', 'mouse')
  expect(goes).toEqual([
    ['cat', 'dog'],
    ['horse', 'mouse'],
  ])
})

it('a caller that is alone does not wait', async () => {
  let isLater = false
  setImmediate(() => {
    isLater = true
  })
  expect(await grow('cat')).toBe('cats')
  expect(isLater).toBe(false)
})

it('a caller is told what went wrong for its item, and all what went wrong for all', async () => {
  expect(await outcomesOf('cat', 'off', 'hen')).toEqual(['cats', 'Off.', 'hens'])
  expect(await outcomesOf('ox', 'no')).toEqual(['No.', 'No.'])
  expect(await outcomesOf('ox')).toEqual(['oxs'])
})

it('in turn, what comes while something is done is done in one go after that, so much at most', async () => {
  const ends: (() => void)[] = []
  const growSlowly = batchConcurrent({
    atMost: 4,
    inTurn: true,
    keyOf: () => 'all',
    async work(words: readonly string[]) {
      goes.push([...words])
      await new Promise<void>(resolve => ends.push(resolve))
      if (words.includes('no')) throw new Error('No.')
      return words.map(word => `${word}s`)
    },
  })
  const all = ['no', 'cat', 'dog', 'hen', 'cow', 'pig'].map(growSlowly)
  for (let ended = 0; ended < 3; ended += 1) {
    await expect.poll(() => ends.length).toBe(ended + 1)
    ends[ended]?.()
  }
  expect(await Promise.all(all.map(it => it.catch(error => error.message)))).toEqual([
    ...['No.', 'cats', 'dogs', 'hens', 'cows', 'pigs'],
  ])
  expect(goes).toEqual([['no'], ['cat', 'dog', 'hen', 'cow'], ['pig']])
})
