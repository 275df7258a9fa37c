import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { onceForAll, untilDone } from '../../../../core/lib/async/until-done.ts'

const { signal } = new AbortController()

it('what several ask for is done once, and again when it is asked for meanwhile', async () => {
  const ends: (() => void)[] = []
  const work = vi.fn(() => new Promise<void>(resolve => ends.push(resolve)))
  const ask = onceForAll(work, signal)
  for (let turn = 0; turn < 3; turn += 1) ask()
  await expect.poll(() => ends.length).toBe(1)
  ask()
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await delay(50)
  expect(work).toHaveBeenCalledTimes(2)
  ask()
  await expect.poll(() => ends.length).toBe(3)
})

it('what could not be done is tried again, until it is done or nobody wants it', async () => {
  const answers = [false, true]
  const work = vi.fn(async () => answers.shift() ?? false)
  untilDone(work, signal)()
  await expect.poll(() => work.mock.calls.length).toBe(2)
  await delay(1_200)
  expect(work).toHaveBeenCalledTimes(2)

  const ending = new AbortController()
  untilDone(work, ending.signal)()
  await expect.poll(() => work.mock.calls.length).toBe(3)
  ending.abort()
  await delay(1_200)
  expect(work).toHaveBeenCalledTimes(3)
})
