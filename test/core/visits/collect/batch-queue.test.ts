import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Batch,
  type BatchQueueOptions,
  createBatchQueue,
} from '../../../../core/visits/collect/batch-queue.ts'
import { trackRetries } from '../../../../core/visits/upkeep/retry-state.ts'
import { listeningLog } from '../fixtures.ts'

function newWord(): Batch<string, string> {
  let word = ''
  return {
    add(letter) {
      word += letter
      return 1
    },
    size: () => word.length,
    packed: () => word,
  }
}

/** An queue for letters, with what arrived: batches as `1 abc`. */
function outboxFor(options: Partial<BatchQueueOptions<string, string>> = {}) {
  const arrived: string[] = []
  const log = listeningLog()
  const queue = createBatchQueue<string, string>({
    newBatch: newWord,
    async send(sequence, word) {
      arrived.push(`${sequence} ${word}`)
    },
    intervalMs: 250,
    fullBatch: 3,
    maxWaiting: 10,
    maxBytes: 100,
    retries: trackRetries(log, 'It fails.', 'It works again.'),
    ...options,
  })
  return { ...queue, arrived, log }
}

function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

describe('a queue of visits', () => {
  it('ends a batch that has an eighth of all bytes that may wait, however few items these are', async () => {
    stopTheClock()
    const { promise: wait, resolve: arrive } = Promise.withResolvers<void>()
    const sent: string[] = []
    const { add } = outboxFor({
      fullBatch: 1_000,
      maxWaiting: 1_000,
      maxBytes: 32,
      async send(sequence, word) {
        sent.push(`${sequence} ${word}`)
        await wait
      },
    })
    for (const letter of 'abcdefghij') add(letter)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual(['1 abcd'])
    arrive()
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual(['1 abcd', '2 efgh'])
    await vi.advanceTimersByTimeAsync(250)
    expect(sent).toEqual(['1 abcd', '2 efgh', '3 ij'])
  })

  it('sends what has waited for the interval', async () => {
    stopTheClock()
    const { add, arrived } = outboxFor()
    add('a')
    await vi.advanceTimersByTimeAsync(200)
    add('b')
    await vi.advanceTimersByTimeAsync(49)
    expect(arrived).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(arrived).toEqual(['1 ab'])
  })

  it('sends a full batch at once, and lets what is over wait', async () => {
    stopTheClock()
    const { add, arrived, isBusy } = outboxFor()
    for (const letter of 'abc') add(letter)
    await vi.advanceTimersByTimeAsync(0)
    add('d')
    expect([arrived, isBusy()]).toEqual([['1 abc'], true])
    await vi.advanceTimersByTimeAsync(250)
    expect([arrived, isBusy()]).toEqual([['1 abc', '2 d'], false])
  })

  it('sends more at once where sending takes long, up to four times as many', async () => {
    stopTheClock()
    const { add, arrived } = outboxFor({
      maxWaiting: 30,
      async send(sequence, word) {
        await new Promise(resolve => setTimeout(resolve, 100))
        arrived.push(`${sequence} ${word}`)
      },
    })
    for (const letter of 'abc') add(letter)
    await vi.advanceTimersByTimeAsync(50)
    for (const letter of 'defghijklmnopqrst') add(letter)
    await vi.advanceTimersByTimeAsync(350)
    expect(arrived).toEqual(['1 abc', '2 defghijklmno', '3 pqrst'])
  })

  it('keeps a batch that failed, tries it again under its number, and keeps the order', async () => {
    stopTheClock()
    const tried: string[] = []
    const { add, log, waiting } = outboxFor({
      async send(sequence, word) {
        tried.push(`${sequence} ${word}`)
        if (tried.length < 3) throw new Error('no')
      },
    })
    for (const letter of 'abc') add(letter)
    await vi.advanceTimersByTimeAsync(0)
    add('d')
    expect(waiting()).toBe(4)
    await vi.advanceTimersByTimeAsync(100)
    expect(tried).toEqual(['1 abc', '1 abc'])
    await vi.advanceTimersByTimeAsync(199)
    expect(tried).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect([tried, waiting()]).toEqual([['1 abc', '1 abc', '1 abc', '2 d'], 0])
    expect(log.lines).toEqual(['It fails.', 'It works again.'])
  })

  it('drops what is past the bound and counts it, with what is under way', async () => {
    let letIn: (() => void) | undefined
    const { add, dropped, waiting, flush } = outboxFor({
      maxWaiting: 5,
      send: () =>
        new Promise<void>(resolve => {
          letIn = resolve
        }),
    })
    for (const letter of 'abc') add(letter)
    const flushed = flush()
    for (const letter of 'defg') add(letter)
    expect([waiting(), dropped()]).toEqual([5, 2])
    letIn?.()
    await flushed
    expect(waiting()).toBe(2)
  })

  it('drops what takes more bytes than may wait, and has room again once some arrived', async () => {
    const { add, dropped, waiting, fullness, flush } = outboxFor({ maxBytes: 4 })
    for (const letter of 'abcdef') add(letter)
    expect([waiting(), dropped(), fullness()]).toEqual([4, 2, 1])
    await flush()
    add('g')
    expect([waiting(), dropped(), fullness()]).toEqual([1, 2, 0.25])
  })

  it('drops everything while it is shut, and what waits still arrives', async () => {
    let isShut = false
    const told: string[] = []
    const options = { isShut: () => isShut, onDrop: () => told.push('dropped') }
    const { add, dropped, arrived, flush } = outboxFor(options)
    add('a')
    isShut = true
    add('b')
    await flush()
    isShut = false
    add('c')
    await flush()
    expect([arrived, dropped(), told]).toEqual([['1 a', '2 c'], 1, []])
  })

  it('flushes what was added before, whatever comes after it', async () => {
    const { add, arrived, flush } = outboxFor()
    for (const letter of 'abcd') add(letter)
    const flushed = flush()
    add('e')
    await flushed
    expect(arrived.join(' ')).toContain('d')
    await flush()
    expect(arrived.join(' ')).toContain('e')
  })

  it('says why a flush failed', async () => {
    const { add, flush } = outboxFor({ send: () => Promise.reject(new Error('disk full')) })
    add('a')
    await expect(flush()).rejects.toThrow('disk full')
  })

  it('sends the rest when it is closed, and drops what comes then', async () => {
    const { add, arrived, close, dropped } = outboxFor()
    for (const letter of 'abcd') add(letter)
    const closed = close(1_000)
    add('e')
    expect(await closed).toBe(0)
    expect([arrived, dropped()]).toEqual([['1 abcd'], 1])
  })

  it('gives up at its time when it is closed, and says how many are lost', async () => {
    const { add, close } = outboxFor({ send: () => Promise.reject(new Error('disk full')) })
    for (const letter of 'abcd') add(letter)
    expect(await close(10)).toBe(4)
  })

  it('gives up at its time when what is under way hangs, and takes no failure after that for one', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const { add, close, log } = outboxFor({ send: () => promise })
    add('a')
    expect(await close(10)).toBe(1)
    reject(new Error('closed'))
    await expect(promise).rejects.toThrow('closed')
    await Promise.resolve()
    expect(log.lines).toEqual([])
  })
})
