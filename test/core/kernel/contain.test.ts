import { describe, expect, it, vi } from 'vitest'
import { createContainment } from '../../../core/kernel/contain.ts'
import type { Log } from '../../../core/plugin.ts'

function build() {
  const lines: string[] = []
  const clock = { ms: 0 }
  const log: Log = {
    info: message => lines.push(message),
    warn: message => lines.push(message),
    error: message => lines.push(message),
  }
  return { contain: createContainment(log, { monotonicMs: () => clock.ms }), lines, clock }
}

const fails = () => {
  throw new Error('boom')
}

describe('a contained hook', () => {
  it('gives its value, plain or promised', async () => {
    const { contain } = build()
    expect(await contain.run('a.b', 'guard', () => 1)).toEqual({ ok: true, value: 1 })
    expect(await contain.run('a.b', 'guard', async () => 2)).toEqual({ ok: true, value: 2 })
  })

  it.each([
    ['throws', fails, 'boom'],
    ['rejects', () => Promise.reject(new Error('no')), 'no'],
    [
      'throws something that is no error',
      () => {
        throw 'a string'
      },
      'a string',
    ],
  ])('that %s is named in the log and left behind', async (_, work, why) => {
    const { contain, lines } = build()
    expect(await contain.run('a.b', 'guard', work)).toEqual({ ok: false })
    expect(lines).toEqual([`a.b guard failed: ${why}`])
    expect(contain.health()).toEqual({ 'a.b guard': { failures: 1, open: false, last: why } })
  })

  it('that hangs has failed when its budget is used up', async () => {
    vi.useFakeTimers()
    try {
      const { contain } = build()
      const running = contain.run('a.b', 'target', () => new Promise(() => undefined))
      await vi.advanceTimersByTimeAsync(250)
      expect(await running).toEqual({ ok: false })
      expect(contain.health()['a.b target']?.last).toBe('no answer within 250 ms')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not asked any more after twenty failures, but for one try every 30 seconds', async () => {
    const { contain, clock } = build()
    let asked = 0
    const work = () => {
      asked += 1
      return fails()
    }
    for (let i = 0; i < 30; i++) await contain.run('a.b', 'guard', work)
    expect(asked).toBe(20)
    expect(contain.health()['a.b guard']).toMatchObject({ open: true })

    clock.ms = 30_000
    await contain.run('a.b', 'guard', work)
    await contain.run('a.b', 'guard', work)
    expect(asked).toBe(21)

    clock.ms = 60_000
    expect(await contain.run('a.b', 'guard', () => 'well')).toEqual({ ok: true, value: 'well' })
    expect(contain.health()).toEqual({})
  })

  it('keeps one broken hook apart from the others', async () => {
    const { contain } = build()
    for (let i = 0; i < 25; i++) await contain.run('a.b', 'guard', fails)
    expect(await contain.run('a.b', 'target', () => 1)).toEqual({ ok: true, value: 1 })
    expect(await contain.run('a.c', 'guard', () => 1)).toEqual({ ok: true, value: 1 })
  })
})
