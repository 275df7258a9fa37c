import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOwnTurns } from '../../../../core/lib/async/own-turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Work that takes so many milliseconds, and says when it began and ended. */
function watched() {
  const said: string[] = []
  const work = (name: string, ms: number) => async () => {
    said.push(`${name} begins at ${performance.now() - startedAt}`)
    await new Promise(resolve => setTimeout(resolve, ms))
    said.push(`${name} ends`)
  }
  const startedAt = performance.now()
  return { said, work }
}

describe('turns of a client', () => {
  it('come one after another, with a rest as long as the work if more of it waits', async () => {
    const turns = createOwnTurns({ longestRestMs: 1_000 })
    const { said, work } = watched()
    void turns('ada', work('first', 60))
    void turns('ada', work('second', 30))
    await vi.advanceTimersByTimeAsync(200)
    expect(said).toEqual(['first begins at 0', 'first ends', 'second begins at 120', 'second ends'])
  })

  it('have no rest after short work, and none of more than a second', async () => {
    const turns = createOwnTurns({ longestRestMs: 1_000 })
    const { said, work } = watched()
    void turns('ada', work('short', 10))
    void turns('ada', work('long', 5_000))
    void turns('ada', work('last', 1))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said.filter(it => it.includes('begins'))).toEqual([
      'short begins at 0',
      'long begins at 10',
      'last begins at 6010',
    ])
  })

  it('wait for no other client, and begin at once where nothing waited', async () => {
    const turns = createOwnTurns({ longestRestMs: 1_000 })
    const { said, work } = watched()
    void turns('ada', work('ada', 60))
    void turns('bob', work('bob', 30))
    await vi.advanceTimersByTimeAsync(70)
    void turns('ada', work('again', 1))
    await vi.advanceTimersByTimeAsync(10)
    expect(said).toEqual([
      'ada begins at 0',
      'bob begins at 0',
      'bob ends',
      'ada ends',
      'again begins at 70',
      'again ends',
    ])
  })

  it('come without rests unless they are asked for', async () => {
    const turns = createOwnTurns()
    const { said, work } = watched()
    void turns('ada', work('first', 60))
    void turns('ada', work('second', 30))
    await vi.advanceTimersByTimeAsync(100)
    expect(said).toEqual(['first begins at 0', 'first ends', 'second begins at 60', 'second ends'])
  })

  it('go on after work that fails', async () => {
    const turns = createOwnTurns({ longestRestMs: 1_000 })
    const failing = turns('ada', () => Promise.reject(new Error('broken')))
    const next = turns('ada', async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
  })
})
