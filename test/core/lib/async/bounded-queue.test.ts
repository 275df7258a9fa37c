import { describe, expect, it } from 'vitest'
import {
  createBoundedQueue,
  Overloaded,
  type PlaceInQueue,
} from '../../../../core/lib/async/bounded-queue.ts'

/** Work that lasts until it is told to end. */
function lasting(begun: string[], name: string) {
  let end: (value: string) => void = () => undefined
  const ended = new Promise<string>(resolve => {
    end = resolve
  })
  const work = () => {
    begun.push(name)
    return ended
  }
  return { work, end: () => end(name) }
}

function aQueue() {
  const begun: string[] = []
  const clock = { ms: 0 }
  const limits = { atOnce: 2, maxWaiting: 2, maxWaitMs: 1_000, monotonicMs: () => clock.ms }
  const queue = createBoundedQueue(limits)
  const add = (name: string, place?: PlaceInQueue) => {
    const { work, end } = lasting(begun, name)
    return { end, done: queue(work, place) }
  }
  return { begun, clock, queue, add }
}

describe('a bounded queue', () => {
  it('runs so much at once, and the rest in the order of asking', async () => {
    const { begun, add } = aQueue()
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => add(name))
    expect(begun).toEqual([])
    await Promise.resolve()
    expect(begun).toEqual(['a', 'b'])
    b?.end()
    expect(await b?.done).toBe('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const it of [a, c, d]) it?.end()
    expect(await Promise.all([a?.done, c?.done, d?.done])).toEqual(['a', 'c', 'd'])
  })

  it('refuses what comes when enough wait, and takes more afterwards', async () => {
    const { begun, add } = aQueue()
    const four = ['a', 'b', 'c', 'd'].map(name => add(name))
    await expect(add('e').done).rejects.toThrow(Overloaded)
    for (const { end } of four) end()
    await Promise.all(four.map(({ done }) => done))
    const f = add('f')
    f.end()
    expect(await f.done).toBe('f')
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'f'])
  })

  it('refuses what may not begin when its turn comes', async () => {
    let may = true
    const limits = { atOnce: 1, maxWaiting: 2, maxWaitMs: 1_000, mayBegin: () => may }
    const queue = createBoundedQueue(limits)
    const begun: string[] = []
    const [a, b] = ['a', 'b'].map(name => lasting(begun, name))
    const done = [a, b].map(it => it && queue(it.work))
    await Promise.resolve()
    may = false
    a?.end()
    expect(await done[0]).toBe('a')
    await expect(done[1]).rejects.toThrow(Overloaded)
    may = true
    expect(await queue(async () => 'c')).toBe('c')
    expect(begun).toEqual(['a'])
  })

  it('does not begin what has waited too long', async () => {
    const { begun, clock, add } = aQueue()
    const [a, b, c] = ['a', 'b', 'c'].map(name => add(name))
    clock.ms = 1_001
    const d = add('d')
    a?.end()
    await expect(c?.done).rejects.toThrow(Overloaded)
    b?.end()
    d.end()
    expect(await d.done).toBe('d')
    expect(begun).toEqual(['a', 'b', 'd'])
  })

  it('refuses what has waited too long while nothing ends', async () => {
    const queue = createBoundedQueue({ atOnce: 1, maxWaiting: 2, maxWaitMs: 20 })
    const ends = Promise.withResolvers<void>()
    const first = queue(() => ends.promise)
    await expect(queue(async () => 'begun')).rejects.toThrow('The wait was too long.')
    ends.resolve()
    await first
    expect(await queue(async () => 'next')).toBe('next')
  })

  it('lets those of a lower rank go first, and refuses those of the highest', async () => {
    const { begun, add } = aQueue()
    const place = (rank: number) => ({ lane: '', rank })
    const running = [add('a', place(3)), add('b', place(3))]
    const [c, d] = [add('c', place(3)), add('d', place(2))]
    const e = add('e', place(1))
    await expect(c.done).rejects.toThrow(Overloaded)
    await expect(add('f', place(2)).done).rejects.toThrow(Overloaded)
    for (const { end } of [...running, d, e]) end()
    await Promise.all([...running, d, e].map(({ done }) => done))
    expect(begun).toEqual(['a', 'b', 'e', 'd'])
  })

  it('lets lanes take turns, however many wait in one', async () => {
    const { begun, add } = aQueue()
    const [left, right] = [
      { lane: 'left', rank: 0 },
      { lane: 'right', rank: 9 },
    ]
    const all = [add('l1', left), add('l2', left), add('l3', left), add('l4', left)]
    all.push(add('r1', right), add('r2', right))
    all[0]?.end()
    await all[0]?.done
    expect(begun).toEqual(['l1', 'l2', 'r1'])
    all[1]?.end()
    await all[1]?.done
    expect(begun).toEqual(['l1', 'l2', 'r1', 'l3'])
    for (const { end } of all) end()
    await Promise.all(all.map(({ done }) => done))
  })

  it('keeps places for other lanes, however little they ask for', async () => {
    const begun: string[] = []
    const limits = { atOnce: 2, atOnceInLane: 1, maxWaiting: 2, maxWaitMs: 1_000 }
    const queue = createBoundedQueue(limits)
    const add = (name: string, lane: string) => {
      const { work, end } = lasting(begun, name)
      return { end, done: queue(work, { lane, rank: 0 }) }
    }
    const all = [add('l1', 'left'), add('l2', 'left'), add('l3', 'left'), add('r1', 'right')]
    await Promise.resolve()
    expect(begun).toEqual(['l1', 'r1'])
    all[3]?.end()
    await all[3]?.done
    expect(begun).toEqual(['l1', 'r1'])
    for (const { end } of all) end()
    await Promise.all(all.map(({ done }) => done))
    expect(begun).toEqual(['l1', 'r1', 'l2', 'l3'])
  })

  it('goes on after work that failed', async () => {
    const { queue } = aQueue()
    const failing = async () => {
      throw new Error('boom')
    }
    const all = await Promise.allSettled([failing, failing, failing, failing].map(it => queue(it)))
    expect(all.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(await queue(async () => 'well')).toBe('well')
  })
})
