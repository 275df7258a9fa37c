import { expect, test, vi } from 'vitest'
import { createBoundedQueue, Overloaded } from '../../../core/lib/async/bounded-queue.ts'
import { createGuessTurns } from '../../../core/limits/guess-turns.ts'

test('whoever was turned away twice is not forgotten for those who came once', async () => {
  const queue = createBoundedQueue({ atOnce: 1, maxWaiting: 1, maxWaitMs: 60_000 })
  const takeTurn = createGuessTurns(queue, { once: 3, again: 1 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (by: string, standing = 1) =>
    takeTurn({ lane: 'links', by, standing }, () => {
      begun.push(by)
      return new Promise<void>(resolve => {
        ends.push(resolve)
      })
    }).catch(error => error)
  const turnAway = async (by: string) => expect(await ask(by, 2)).toBeInstanceOf(Overloaded)

  const lot = vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const running = ask('first')
  const waiting = ask('waits')
  lot.mockReturnValue(0)
  for (const by of ['visitor', 'visitor', 'once 1', 'once 2', 'once 3', 'once 4'])
    await turnAway(by)
  const visitor = ask('visitor')
  ends.shift()?.()
  await running
  expect(begun).toEqual(['first', 'visitor'])
  expect(await waiting).toBeInstanceOf(Overloaded)
  ends.shift()?.()
  await visitor
  lot.mockRestore()
})

test('whoever is right again and again goes first once in ten seconds, at whatever secret, and new clients get in', async () => {
  let now = 0
  const queue = createBoundedQueue({ atOnce: 1, maxWaiting: 1, maxWaitMs: 60_000 })
  const takeTurn = createGuessTurns(queue, undefined, () => now)
  const begun: string[] = []
  let end: () => void = () => undefined
  const ask = (by: string, standing: number) =>
    takeTurn({ lane: 'links', by, standing }, () => {
      begun.push(by)
      return new Promise<void>(resolve => {
        end = resolve
      })
    }).catch(error => error)
  const settled = () => new Promise(resolve => setImmediate(resolve))
  const nextOf = async (askAll: () => unknown) => {
    void ask('runs', 1)
    await settled()
    askAll()
    await settled()
    end()
    await settled()
    end()
    await settled()
    return begun.at(-1)
  }

  const known = 0
  const both = () => [ask('known', known), ask('new', 1)]
  expect(await nextOf(both)).toBe('known')
  // It was turned away, and the other one had a turn.
  expect(await nextOf(both)).toBe('new')
  now += 10_000
  expect(await nextOf(both)).toBe('known')
})
