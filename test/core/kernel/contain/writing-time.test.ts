import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createContainment } from '../../../../core/kernel/contain/contain.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const log = { error: () => undefined }
const forEver = () => new Promise<never>(() => undefined)

/** Runs an endpoint of a plugin, and returns after how many milliseconds it was given up. */
function createRun() {
  const contain = createContainment(log as never)
  let account = 0
  async function msOf(work: () => Promise<unknown>, isWriting = true): Promise<number> {
    const startedAt = performance.now()
    // Each account is counted by itself.
    const details = { part: 'POST /moods', account: ++account, isWriting }
    const done = Promise.resolve(contain.run('acme.moods', 'endpoint', work, details))
    const ended = done.then(() => performance.now() - startedAt)
    await vi.advanceTimersByTimeAsync(20_000)
    return ended
  }
  return { contain, msOf }
}

it('hooks of a plugin that wait for ever within transactions get a tenth of the time each, until one ends by itself', async () => {
  const { contain, msOf } = createRun()
  expect([await msOf(forEver), await msOf(forEver), await msOf(forEver)]).toEqual([
    10_000, 1_000, 1_000,
  ])
  expect([...contain.writingTime.late()]).toEqual([['acme.moods', 1_000]])
  await msOf(async () => undefined)
  expect(contain.writingTime.late().size).toBe(0)
  expect(await msOf(forEver)).toBe(10_000)
})

it('control: those that keep nobody from writing have all of their time, and are not named', async () => {
  const { contain, msOf } = createRun()
  expect([await msOf(forEver, false), await msOf(forEver, false)]).toEqual([10_000, 10_000])
  expect(contain.writingTime.late().size).toBe(0)
})
