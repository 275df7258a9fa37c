import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Problem } from '../../../../plugins/dashboard/web/api/client/problem.ts'
import { sendOnce } from '../../../../plugins/dashboard/web/api/client/send-once.ts'

const problem = (status: number, code: string) => new Problem({ status, code, detail: code })
const inProgress = problem(409, 'request_in_progress')

describe('what must not be created twice', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Answers with these, one after another, and keeps the keys that it was sent with. */
  function answering(...answers: (Problem | string)[]) {
    const keys: string[] = []
    const send = sendOnce(async (_: string, key: string) => {
      keys.push(key)
      const answer = answers.shift() ?? 'made'
      if (answer instanceof Problem) throw answer
      return answer
    })
    return { send, keys }
  }

  it('is sent again with its key until the attempt before it has ended', async () => {
    const { send, keys } = answering(inProgress, inProgress, 'made')
    const made = send('a link')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await made).toBe('made')
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  it('is given up when that takes longer than any request may, and keeps its key', async () => {
    const { send, keys } = answering(...Array.from({ length: 13 }, () => inProgress))
    const made = send('a link').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(12_000)
    expect(await made).toBe(inProgress)
    expect(await send('a link')).toBe('made')
    expect(keys).toHaveLength(14)
    expect(new Set(keys).size).toBe(1)
  })

  it('keeps its key while nobody knows whether it was created, and not after a refusal', async () => {
    const lost = problem(0, 'unreachable')
    const refused = problem(422, 'validation_failed')
    const { send, keys } = answering(lost, refused, 'made', 'another')
    await expect(send('a link')).rejects.toBe(lost)
    await expect(send('a link')).rejects.toBe(refused)
    expect([await send('a link'), await send('a link')]).toEqual(['made', 'another'])
    const [first, second, third, fourth] = keys
    expect(second).toBe(first)
    expect(new Set([first, third, fourth]).size).toBe(3)
  })
})
